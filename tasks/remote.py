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
    try:
        store, path = url_to_fs(place)
        store.get(path, str(local), recursive=store.isdir(path))
    except (OSError, ValueError, ImportError) as error:
        raise _unreachable(place, error) from error
    return local


@contextmanager
def placed(place: str) -> Iterator[Path]:
    """A local path to write to; it ends up in the place.

    Raises:
        ServiceError: If the store cannot be reached or written to.
    """
    if not is_remote(place):
        yield Path(place)
        return
    with TemporaryDirectory(prefix="skillbank-") as folder:
        local = Path(folder) / place.rstrip("/").rsplit("/", 1)[-1]
        yield local
        try:
            store, path = url_to_fs(place)
            for made in sorted(Path(folder).iterdir()):
                target = path.rstrip("/") + made.name.removeprefix(local.name)
                store.put(str(made), target, recursive=True)
        except (OSError, ValueError, ImportError) as error:
            raise _unreachable(place, error) from error


def _unreachable(place: str, error: Exception) -> ServiceError:
    return ServiceError(
        place,
        seen=f"{type(error).__name__}: {error}",
        expected="a store that fsspec knows, with something there",
        remedy="see to its package (s3fs for s3://), its credentials and the name",
    )
