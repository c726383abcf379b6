"""What was asked of the agent: briefs, their variants, replay set and benchmark."""
