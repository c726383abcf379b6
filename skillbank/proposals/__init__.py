"""Proposals: candidate changes of the bank, deepening and widening."""
