"""The native engine: unit programs and the event loop as LLVM code."""
