from skillbank.briefs.brief import Brief
from skillbank.evidence.nearness import Nearness

BRIEFS = [
    Brief(id="a", text="a poster for the jazz festival"),
    Brief(id="b", text="poster for a jazz evening"),
    Brief(id="c", text="invoice with a table of hours"),
]


def test_a_brief_is_nearest_to_itself_and_nearer_to_one_of_its_kind():
    near = Nearness(BRIEFS).to(["a"])

    assert near["a"] == 1.0
    assert 1 > near["b"] > near["c"] >= 0


def test_the_order_of_briefs_does_not_matter():
    assert Nearness(BRIEFS).to(["a", "c"]) == Nearness(BRIEFS[::-1]).to(["c", "a"])


def test_near_to_nothing_that_is_known_is_near_to_nothing():
    assert Nearness(BRIEFS).to(["elsewhere"]) == {"a": 0.0, "b": 0.0, "c": 0.0}
    assert Nearness([]).to(["a"]) == {}
