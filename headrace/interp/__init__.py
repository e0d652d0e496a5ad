"""The executable definitions: `ktir.run_ktir`, `schedule.run_schedule`, `dataflow.run_dataflow` on a `memory.Memory`.

`buffers.find_buffers` finds what a kernel reads and writes; `placement.place` and `fetch` move arrays in and out.
"""
