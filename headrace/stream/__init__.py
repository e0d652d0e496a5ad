"""Asynchronous scheduling of kernel graphs over one or several devices: passes, interpreters, simulation, threads."""
