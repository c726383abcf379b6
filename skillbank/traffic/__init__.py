"""Traffic in: files that others wrote become runs that can be counted."""

from skillbank.traffic.files import read
from skillbank.traffic.intake import ingest
from skillbank.traffic.quarantine import Ingested
from skillbank.traffic.run import Misfit, Run

__all__ = ["Ingested", "Misfit", "Run", "ingest", "read"]
