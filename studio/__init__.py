"""The embedded world: a small design studio that works offline."""
