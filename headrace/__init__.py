"""headrace: compiler, runtime and simulated device for dataflow accelerators with scratchpads."""

__version__ = "0.1.0"
