"""What all tests share: the vendors' switches, and one Prefect server for a session."""

import tasks  # noqa: F401  sets the switches before a vendor is imported
