"""Generic passes, usable as functions on any operation."""
