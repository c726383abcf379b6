"""Skills: SKILL.md in and out, the bank that holds them, and what is recalled."""
