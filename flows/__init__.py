"""Order, schedule, retries and approval; `weekly_round.py` is where to start."""

import tasks as tasks  # its switches are set before Prefect reads its settings
