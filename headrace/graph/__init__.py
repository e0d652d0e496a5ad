"""Graphs of kernels: functions over tensors, cut into dispatches of outlined kernels, and their interpreter."""
