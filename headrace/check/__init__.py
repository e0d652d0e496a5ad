"""Levels and passes compared by running them on the same memory."""
