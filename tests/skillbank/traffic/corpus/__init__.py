"""Texts with private values in them, and texts that only look so; from a seed."""
