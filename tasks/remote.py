"""Traffic from stores such as S3, and datasets into them, by way of the local disk.

`fsspec` knows the stores; each needs its own package, such as `s3fs`, and takes its
credentials from where that package does.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from fsspec.core import url_to_fs

from skillbank.errors import ServiceError
from tasks.bulk import in_use, quarantine_of


def is_remote(place: str) -> bool:
    """Whether a place is in a store, such as `s3://bucket/week`."""
    return "://" in place


@contextmanager
def fetched(places: list[str]) -> Iterator[list[Path]]:
    """Local paths of places; what was fetched is removed afterwards.

    Raises:
        ServiceError: If a store cannot be reached or has nothing there.
    """
    with TemporaryDirectory(prefix="skillbank-") as folder:
        yield [
            _fetch(place, Path(folder) / str(number))
            if is_remote(place)
            else Path(place)
            for number, place in enumerate(places)
        ]


def _fetch(place: str, folder: Path) -> Path:
    folder.mkdir()
    local = folder / (place.rstrip("/").rsplit("/", 1)[-1] or "traffic")
    with _reaching(place):
        store, path = url_to_fs(place)
        store.get(path, str(local), recursive=store.isdir(path))
    return local


@contextmanager
def placed(place: str) -> Iterator[Path]:
    """A local path to write a dataset to; it ends up in the place.

    Raises:
        ServiceError: If the store cannot be reached or written to.
        TrafficError: If there is something in the place, or in that of the quarantine.
    """
    if not is_remote(place):
        yield Path(place)
        return
    with TemporaryDirectory(prefix="skillbank-") as folder:
        local = Path(folder) / place.rstrip("/").rsplit("/", 1)[-1]
        with _reaching(place):
            store, path = url_to_fs(place)
            targets = {
                one: f"{path.rstrip('/')}{one.name.removeprefix(local.name)}"
                for one in (local, quarantine_of(local))
            }
            taken = [target for target in targets.values() if store.exists(target)]
        if taken:
            raise in_use(taken[0], local)
        yield local
        with _reaching(place, "; a part of the dataset may be there"):
            for made, target in targets.items():
                store.put(str(made), target, recursive=True)


@contextmanager
def _reaching(place: str, left: str = "") -> Iterator[None]:
    try:
        yield
    # whatever a store's own package raises: they share no base
    except Exception as error:
        raise ServiceError(
            place,
            seen=f"{type(error).__name__}: {error}{left}",
            expected="a store that fsspec knows, which can be read and written",
            remedy="see to its package (s3fs for s3://), its credentials and the name",
        ) from error
