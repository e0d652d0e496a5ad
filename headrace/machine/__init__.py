"""The simulated device: memory, loader, native and reference engines, the timing model.

``SimDevice`` (:mod:`headrace.machine.device`) is the device; ``RunResult`` (:mod:`headrace.machine.result`) what a run reports.
"""
