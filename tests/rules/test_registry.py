"""The registry of rules, made from the code, holds together."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from refnvn.rules import registry
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import FIELDS
from refnvn.rules.registry import Rule, collect, load_all, rule, rules_named, weakest
from refnvn.rules.unknown import all_unknown

ROOT = Path(__file__).parents[2]
RULES = load_all()
SOURCES = tomllib.loads((ROOT / "refnvn" / "rules" / "sources.toml").read_text(encoding="utf-8"))


def calls_of(path: Path, name: str) -> list[ast.Call]:
    """Return the calls of a function in a file by its last name: ``rule``, ``pytest.mark.rule``."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if ast.unparse(call.func) == name]


def texts(call: ast.Call) -> list[str]:
    """Return the arguments of a call that are texts."""
    return [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def pinned_by() -> dict[str, list[str]]:
    """Return the test files that mark each rule, by id."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for call in calls_of(path, "pytest.mark.rule"):
            for rule_id in texts(call):
                found.setdefault(rule_id, []).append(path.relative_to(ROOT).as_posix())
    return found


@pytest.fixture
def empty_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test register rules that nobody else sees."""
    monkeypatch.setattr(registry, "_RULES", {})


def one() -> int:
    """Return 1."""
    return 1


def two() -> int:
    """Return 2."""
    return 2


def test_ids_are_well_formed() -> None:
    """An id is AREA-TOPIC-n in capitals."""
    assert [i for i in RULES if not re.fullmatch(r"[A-Z]+-[A-Z0-9]+-[1-9]\d*", i)] == []
    assert all(RULES[rule_id].id == rule_id for rule_id in RULES)


def test_every_rule_of_the_source_is_loaded_once() -> None:
    """No id stands twice in the code, and every module that holds a rule is one that is loaded."""
    written = [texts(call)[0] for path in (ROOT / "refnvn").rglob("*.py") for call in calls_of(path, "rule")]
    assert sorted(written) == sorted(RULES)


@pytest.mark.usefixtures("empty_registry")
def test_a_taken_id_is_refused() -> None:
    """Two functions cannot be the same rule; the same function may be registered again."""
    register = rule("TEST-ONE-1", "One is one.", evidence=Evidence.SWITCH, sources=("nil",))
    register(one)
    register(one)
    with pytest.raises(ValueError, match=r"rule id TEST-ONE-1 is taken by .*one"):
        register(two)


@pytest.mark.parametrize(
    ("rule_id", "sources", "evidence", "complaint"),
    [
        pytest.param("TEST1", ("nil",), Evidence.SWITCH, "not of the form AREA-TOPIC-n", id="no-parts"),
        pytest.param("test-one-1", ("nil",), Evidence.SWITCH, "not of the form", id="small-letters"),
        pytest.param("TEST-ONE", ("nil",), Evidence.SWITCH, "not of the form", id="no-number"),
        pytest.param("TEST-ONE-1", (), Evidence.SWITCH, "names no source", id="no-source"),
        pytest.param("TEST-ONE-1", ("nil",), Evidence.INFERRED, "nothing that would refute it", id="inferred"),
        pytest.param("TEST-ONE-1", ("nil",), Evidence.OPEN, "nothing that would refute it", id="open"),
    ],
)
@pytest.mark.usefixtures("empty_registry")
def test_a_rule_without_its_papers_is_refused(
    rule_id: str, sources: tuple[str, ...], evidence: Evidence, complaint: str
) -> None:
    """A malformed id, no source, or weak evidence that nothing could refute raises."""
    with pytest.raises(ValueError, match=complaint):
        rule(rule_id, "One is one.", evidence=evidence, sources=sources)


def test_every_rule_is_pinned_by_a_test() -> None:
    """A rule without a test that names it is not a rule."""
    assert sorted(set(RULES) - set(pinned_by())) == []


def test_no_test_pins_an_unknown_rule() -> None:
    """A marker names rules that there are."""
    asked = {one.id for one in all_unknown()}
    missing = {one: files for one, files in pinned_by().items() if one not in RULES and one not in asked}
    assert missing == {}


def test_what_is_unknown_is_asked_once_and_raised_where_it_stands() -> None:
    """A question ends with a question mark or says more; nobody raises one that is not registered."""
    for one in all_unknown():
        assert re.fullmatch(r"[A-Z]+-[A-Z0-9]+-[1-9]\d*", one.id), one.id
        assert "?" in one.asks, one.id
        assert one.settled_by, one.id
    raised = [
        path.name
        for path in (ROOT / "refnvn").rglob("*.py")
        if re.search(r"raise UnknownBehaviour\(", path.read_text(encoding="utf-8"))
    ]
    assert raised == []


def test_every_source_is_listed() -> None:
    """A rule cites keys of sources.toml, each once."""
    for one_rule in RULES.values():
        assert set(one_rule.sources) <= set(SOURCES), one_rule.id
        assert len(set(one_rule.sources)) == len(one_rule.sources), one_rule.id


def test_every_listed_source_can_be_found() -> None:
    """A source has a title and says where it is; a file that it names is in this repository."""
    for key, source in SOURCES.items():
        assert source["title"], key
        assert source["where"], key
        assert set(source) <= {"title", "where", "file"}, key
        assert "file" not in source or (ROOT / source["file"]).exists(), key


def test_every_rule_is_stated_in_a_sentence() -> None:
    """A statement is one sentence with a full stop, and an exactness is given."""
    for one_rule in RULES.values():
        assert one_rule.says[0].isupper() or one_rule.says.startswith(("sRGB", "2")), one_rule.id
        assert one_rule.says.endswith("."), one_rule.id
        assert one_rule.exactness, one_rule.id


def test_weak_rules_say_what_would_refute_them() -> None:
    """An inferred or open rule names an observation."""
    weak = [one_rule for one_rule in RULES.values() if one_rule.evidence >= Evidence.INFERRED]
    assert weak
    assert [one_rule.id for one_rule in weak if not one_rule.refuted_by] == []


def test_rules_name_fields_that_there_are() -> None:
    """A rule says which fields of Rules it reads, each by its name."""
    assert [r.id for r in RULES.values() if not set(r.fields) <= set(FIELDS)] == []


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_is_read_by_a_rule(field: str) -> None:
    """A switch that no rule reads would switch nothing."""
    assert any(field in one_rule.fields for one_rule in RULES.values())


def test_a_rule_says_where_its_code_is() -> None:
    """Module and function of each rule can be found."""
    import importlib

    for one_rule in RULES.values():
        module, _, function = one_rule.code.rpartition(".")
        assert callable(getattr(importlib.import_module(module), function)), one_rule.id


@pytest.mark.usefixtures("empty_registry")
def test_rules_that_run_are_collected() -> None:
    """A block collects the rules that ran in it; an inner block's count for the outer one."""
    first = rule("TEST-ONE-1", "One is one.", evidence=Evidence.SWITCH, sources=("nil",))(one)
    second = rule("TEST-TWO-1", "Two is two.", evidence=Evidence.DRIVER_MADE, sources=("nil",))(two)
    assert first() == 1
    with collect() as outer:
        assert first() == 1
        with collect() as inner:
            assert second() == 2
    assert (inner, outer) == ({"TEST-TWO-1"}, {"TEST-ONE-1", "TEST-TWO-1"})
    assert [r.id for r in rules_named(["TEST-TWO-1", "TEST-ONE-1", "TEST-TWO-1"])] == ["TEST-ONE-1", "TEST-TWO-1"]


@pytest.mark.usefixtures("empty_registry")
def test_a_result_is_as_good_as_its_weakest_rule() -> None:
    """The weakest evidence of several rules is the one with the greatest rank; of none there is none."""
    rule("TEST-ONE-1", "One is one.", evidence=Evidence.SWITCH, sources=("nil",))(one)
    rule("TEST-TWO-1", "Two is two.", evidence=Evidence.DRIVER_MADE, sources=("nil",))(two)
    assert weakest({"TEST-ONE-1"}) is Evidence.SWITCH
    assert weakest({"TEST-ONE-1", "TEST-TWO-1"}) is Evidence.DRIVER_MADE
    assert weakest(set()) is None


def test_every_rank_of_evidence_has_a_title() -> None:
    """A table can name each rank, and the ranks are ordered strongest first."""
    assert min(Evidence).title.startswith("Switch measurement")
    assert len({one_rank.title for one_rank in Evidence}) == len(Evidence)


def test_a_rule_is_frozen() -> None:
    """Nobody rewrites a rule in passing."""
    some: Rule = RULES["LAYOUT-GOB-1"]
    with pytest.raises(AttributeError):
        some.says = "No."  # type: ignore[misc]
