from dataclasses import replace

from skillbank.errors import WorldError
from skillbank.reports.telling import Album, telling
from tests.skillbank.reports.builders import Outputs, draw, pair


def pairs(hows: str):
    outputs = Outputs()
    return [pair("p", "p-1", f"c{n}", how, outputs) for n, how in enumerate(hows)]


def test_a_commit_is_told_by_a_win_and_a_refusal_by_a_loss():
    made = pairs("twl")

    assert telling("committed", made) == made[1]
    assert telling("refused", made) == made[2]


def test_of_several_losses_the_one_furthest_apart_tells():
    near, far = pairs("ll")
    far = replace(far, candidate_score=0.1)

    assert telling("refused", [near, far]) == far


def test_without_a_loss_a_refusal_is_told_by_a_tie():
    made = pairs("wt")

    assert telling("refused", made) == made[1]


def test_what_was_not_replayed_has_nothing_to_show():
    assert telling("screened out", pairs("w")) is None
    assert Album(draw).showing("committed", [], {}, {}) is None


def test_a_broken_arm_is_shown_by_its_reason():
    showing = Album(draw).showing("refused", pairs("b"), {}, {})

    assert showing is not None
    assert showing.candidate.png == b""
    assert showing.candidate.problem == "broken: seven calls were refused"
    assert showing.current.png.startswith(b"\x89PNG")


def test_an_output_that_cannot_be_drawn_does_not_stop_the_page():
    def refuse(output: str) -> bytes:
        raise WorldError("drawing", seen="no board", expected="a board", remedy="look")

    showing = Album(refuse).showing("committed", pairs("w"), {}, {})

    assert showing is not None
    assert showing.current.problem == "cannot be drawn: no board"


def test_pictures_beyond_the_room_are_left_out_and_told():
    album = Album(lambda output: bytes(700), room=1500)

    first = album.showing("committed", pairs("w"), {}, {})
    second = album.showing("committed", pairs("w"), {}, {})

    assert first is not None
    assert second is not None
    assert (len(first.current.png), len(first.candidate.png)) == (700, 700)
    assert second.current.problem.startswith("left out")


def test_only_what_is_shown_is_drawn():
    drawn: list[str] = []

    def note(output: str) -> bytes:
        drawn.append(output)
        return b"png"

    Album(note).showing("committed", pairs("ttwww"), {}, {})

    assert len(drawn) == 2
