"""Judges: which of two outputs better satisfies a brief, never a score."""
