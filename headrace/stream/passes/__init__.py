"""The passes of the stream pipeline, one file each; the order is in `headrace.stream.pipeline`."""
