"""skillbank: agents that improve their own skills, behind a gate that can say no.

The library is pure: it knows nothing of Prefect, MLflow or DVC, reads no clock and
no environment variable, and takes every seed, path and model as an argument.
"""
