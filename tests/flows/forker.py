"""A program for tests: starts a round in a process of its own for each line it reads.

Vendors are imported once and inherited, since that takes seconds. It tells the process
id first, then passes on what the tasks say, and at last how the process ended.
"""

import logging
import os
import sys
from pathlib import Path


def main(workspace: Path) -> None:
    import dvc.repo  # noqa: F401
    import mlflow.tracking  # noqa: F401

    from flows.forms import RoundForm
    from flows.weekly_round import weekly_round

    form = RoundForm(workspace=str(workspace), round="r0001")
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            os.setsid()  # its workers are in its group, so that they can be looked for
            handler = logging.StreamHandler(sys.stdout)
            logger = logging.getLogger("skillbank")
            logger.addHandler(handler)
            logger.setLevel(logging.INFO)
            weekly_round(form)
            os._exit(0)
        tell(f"pid {child}")
        _, status = os.waitpid(child, 0)
        tell(f"exit {os.waitstatus_to_exitcode(status)}")


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
