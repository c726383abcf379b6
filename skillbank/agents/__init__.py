"""Agents under test: what an attempt is, and the protocol that they follow."""
