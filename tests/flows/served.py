"""A flow for tests to run and serve: small, with a typed form and a few tasks."""

import sys
from pathlib import Path
from typing import Literal

from prefect import flow, task, unmapped
from pydantic import BaseModel, Field


class Greeting(BaseModel):
    """Whom to greet, and how."""

    who: str = Field(default="you", description="Name of the one who is greeted.")
    how: Literal["loudly", "softly"] = "softly"


@task
def greet(number: int, form: Greeting) -> str:
    """One of many task runs."""
    return f"{number} {form.who}"


@flow(name="greetings")
def greetings(form: Greeting, times: int = 3) -> int:
    """Greet somebody a number of times."""
    return len(greet.map(range(times), form=unmapped(form)).result())


if __name__ == "__main__":
    from flows.serve import serve
    from tests.flows.served import greetings as importable

    serve(importable, Path(sys.argv[1]), port=None, parameters={"form": {}})
