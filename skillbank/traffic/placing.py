"""Where in a text a value stands by itself, and the pseudonym put in its place."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from skillbank.traffic.detectors import HOME
from skillbank.traffic.hidden import START

HEAD = 3  # characters: nothing that is private is shorter


@dataclass(frozen=True, slots=True)
class Private:
    """Something that is to be masked."""

    kind: str
    value: str
    """In the one way of writing it that its pseudonym is made of."""
    at_home: bool = False
    """True: the name of a home folder, which elsewhere may be any word."""


class Instead:
    """Texts with each of many values replaced, in one pass however many they are."""

    def __init__(
        self, found: Mapping[str, Private], pseudonym: Callable[[Private], str]
    ) -> None:
        """`found` by how each stands in a text: the longest first, so that it wins."""
        self._found = {text: one for text, one in found.items() if not one.at_home}
        self._homes = {one.value: one for one in found.values() if one.at_home}
        self._elsewhere = _elsewhere(self._homes)
        self._pseudonym = pseudonym
        self._lengths: dict[str, dict[int, None]] = defaultdict(dict)
        for value in self._found:
            self._lengths[value[:HEAD]][len(value)] = None
        firsts = "".join(sorted({re.escape(head[0]) for head in self._lengths}))
        self._starts = (
            re.compile(f"(?=[{firsts}]){START}", re.ASCII) if firsts else None
        )

    def has(self, text: str) -> bool:
        """Whether a text, all of it, is one of the values."""
        return text in self._found

    def of(self, text: str) -> str:
        """The text with pseudonyms."""
        if self._starts is not None and len(text) >= HEAD:
            text = self._values(text, self._starts)
        if self._elsewhere is None:
            return text
        return HOME.sub(self._home, self._elsewhere.sub(self._name, text))

    def _home(self, hit: re.Match[str]) -> str:
        one = self._homes.get(hit["name"])
        return hit["before"] + self._pseudonym(one) if one else hit[0]

    def _name(self, hit: re.Match[str]) -> str:
        same = (n for n in self._homes if _in_a_folder(n) == hit[0])
        name = hit[0] if hit[0] in self._homes else next(same)
        return self._pseudonym(self._homes[name])

    def _values(self, text: str, starts: re.Pattern[str]) -> str:
        pieces, end = [], 0
        for hit in starts.finditer(text):
            at = hit.start()
            if at < end:
                continue
            for length in self._lengths.get(text[at : at + HEAD], ()):
                value = text[at : at + length]
                if value in self._found and _is_whole(text, at, value):
                    pieces += [text[end:at], self._fitting(text, at, value)]
                    end = at + length
                    break
        return "".join([*pieces, text[end:]])

    def _fitting(self, text: str, at: int, value: str) -> str:
        """The pseudonym, or digits for it where JSON has a bare number."""
        instead = self._pseudonym(self._found[value])
        before = text[max(0, at - 8) : at].rstrip()
        after = text[(end := at + len(value)) : end + 8].lstrip()
        in_json = before.endswith(('":', ",", "[")) and after.startswith(
            (",", "]", "}")
        )
        if not (value.isdecimal() and in_json):
            return instead
        number = int.from_bytes(instead.encode()) % 10 ** (len(value) - 1)
        return (
            f"-9{number:0{len(value) - 1}d}"  # below 0: nothing private to a detector
        )


def _in_a_folder(name: str) -> str:
    """How Claude Code writes it in the name of a project's folder."""
    return re.sub(r"[^A-Za-z0-9]", "-", name)


def _elsewhere(names: Iterable[str]) -> re.Pattern[str] | None:
    """Where the names of home folders stand outside of paths.

    One that no word looks like (`nora.klein`, `jdoe42`) is a name wherever it stands;
    any other only where systems write who somebody is: `max` is a word, too.
    """
    known = sorted(names, key=len, reverse=True)
    if not known:
        return None
    all_of = "|".join(map(re.escape, known))
    odd = [re.escape(n) for n in known if len(n) > HEAD and re.search(r"[\d._-]", n)]
    folders = [re.escape(_in_a_folder(n)) for n in known if _in_a_folder(n) != n]
    told = [
        rf"(?:(?<=USER=)|(?<=LOGNAME=)|(?<=USERNAME=)|(?<=\d\()|(?<=[\s:'\"]~)"
        rf"|(?<=whoami\n))(?:{all_of})(?=[\s)/\"';@]|\Z)",
        rf"(?<=\d )(?:{all_of})(?= +[\w-]{{1,32}} +\d)",  # of a file
        rf"(?<![\w./-])(?:{all_of})(?=@[\w.-]{{1,64}}(?::[~/]|[\s:]))",
        *([rf"(?<![\w.-])(?:{'|'.join(odd)})(?![\w-]|\.\w)"] if odd else []),
        *([rf"(?:(?<=-Users-)|(?<=-home-))(?:{'|'.join(folders)})(?=[-/\"'\s]|\Z)"]
          if folders else []),
    ]  # fmt: skip
    return re.compile("|".join(told))


def _is_whole(text: str, at: int, value: str) -> bool:
    """Whether a value stands there by itself, not as part of a word or number."""
    after = text[at + len(value) : at + len(value) + 1]
    if value[-1].isalnum() and after.isalnum() and after.isascii():
        return False
    before = text[max(0, at - 2) : at]
    return not (
        value[0].isdecimal() and before[:1].isdecimal() and before[1:] in (".", "-")
    )
