"""A world of traces alone: what an agent did is known, the agent itself is not."""
