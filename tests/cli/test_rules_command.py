"""``refnvn rules``: rules, switchboard, ledger."""

import pytest

from refnvn.cli.describe_rules import faults_of
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import FIELDS, NVN, settings_of
from refnvn.rules.ledger import coverage
from refnvn.rules.registry import load_all
from refnvn.rules.settings import settings
from refnvn.rules.slack import SLACK
from refnvn.rules.unknown import all_unknown
from refnvn.rules.worlds import WORLDS
from tests.cli.harness import complaint, refnvn

RULES = load_all()


def test_the_table_lists_every_rule() -> None:
    """One line a rule: id, evidence, statement, rows; then a count."""
    lines = refnvn("rules").out.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == list(RULES)
    assert lines[-1].startswith(f"{len(RULES)} rules: ")
    gob = next(line for line in lines if line.startswith("LAYOUT-GOB-1 "))
    assert gob.split(maxsplit=2)[1:] == ["switch", RULES["LAYOUT-GOB-1"].says]
    assert any(line.endswith("[auto-block-height]") for line in lines)


def test_an_area_chooses_its_rules() -> None:
    """An area is the start of an id in any case, up to a dash."""
    listed = refnvn("rules", "--area", "fmt-norm", "--json").json["rules"]
    assert [one["id"] for one in listed] == ["FMT-NORM-1", "FMT-NORM-2", "FMT-NORM-3", "FMT-NORM-4"]
    whole = refnvn("rules", "--area", "LAYOUT", "--json").json["rules"]
    assert [one["id"] for one in whole] == [one for one in RULES if one.startswith("LAYOUT-")]


def test_a_rule_in_full() -> None:
    """Statement, evidence in words, source titles, fields with roles, refutation, and where the code is."""
    said = refnvn("rules", "layout-sparse-8").out
    assert said.startswith(f"LAYOUT-SPARSE-8: {RULES['LAYOUT-SPARSE-8'].says}\n")
    assert "evidence:   open: a choice is recorded, nothing decides" in said
    assert "exactness:  bit-exact" in said
    assert "source:     seed-titles: Notes on rendering faults found in shipped titles" in said
    assert "refuted by: the level sizes of a sparse texture with such a level" in said
    assert "ledger:     sparse-64k\n" in said
    assert "nvn   AT_LEAST_A_TILE" in said
    assert "world MORE_THAN_A_TILE" in said
    assert "(because: games decide nothing" in said
    assert "fault NEVER" in said
    assert "code:       refnvn/layout/sparse.py:" in said


def test_open_rules_say_what_would_settle_them() -> None:
    """``--open`` lists the inferred and open rules, each with an observation."""
    weak = [one for one in RULES.values() if one.evidence >= Evidence.INFERRED]
    said = refnvn("rules", "--open").out
    assert said.count("settled by: ") == len(weak)
    assert all(one.refuted_by in said for one in weak)
    listed = refnvn("rules", "--open", "--json").json["rules"]
    assert [one["id"] for one in listed] == [one.id for one in weak]


def test_what_nothing_decides_is_listed_and_found_by_its_id() -> None:
    """``--unknown``: the question, what would settle it, what to do until then; the ids of errors are found."""
    said = refnvn("rules", "--unknown").out
    assert said.count("settled by: ") == said.count("asked in: ") == len(all_unknown())
    one = refnvn("rules", "REPLAY-IMAGE-10").out
    assert one.startswith("REPLAY-IMAGE-10: How is a store without a format converted")
    assert "a console whose shader stores to an image of BOUND and declares no format" in one
    assert "until then: a view of a format of images" in one
    listed = refnvn("rules", "--unknown", "replay-image-10", "--json").json["unknown"]
    assert [each["code"] for each in listed] == ["refnvn/replay/images.py"]
    beside_a_rule = refnvn("rules", "RASTER-MIXED-2").out
    assert "not known:  For which samples does a shader run that runs for each" in beside_a_rule
    assert "'LAYOUT-GOB-1' is no question that is open here" in complaint("rules", "--unknown", "LAYOUT-GOB-1")


def test_faults_say_how_a_rule_is_broken() -> None:
    """``--fault`` lists the rules that read a field with a wrong setting, and that setting in words."""
    said = refnvn("rules", "--fault").out
    assert "auto_block_height=ROUND_UP: ceil(rows * 3 / 16): a known fault" in said
    listed = refnvn("rules", "--fault", "--json").json["rules"]
    assert [one["id"] for one in listed] == [one.id for one in RULES.values() if faults_of(one)]
    heights = next(one["faults"] for one in listed if one["id"] == "LAYOUT-AUTO-1")
    assert [(one["field"], one["name"]) for one in heights] == [
        ("auto_block_height", "ROUND_UP"),
        ("auto_block_height", "ROWS_OVER_8"),
    ]


def test_the_switchboard_lists_every_setting_with_its_role() -> None:
    """NVN's setting is the default; worlds and slack say why; what is left is a fault."""
    listed = {one["field"]: one for one in refnvn("rules", "--fields", "--json").json["fields"]}
    assert list(listed) == list(FIELDS)
    permitted = {
        (one.field, setting.name): one.because for one in (*WORLDS, *SLACK) for setting in (one.setting, *one.probes)
    }
    for field, told in listed.items():
        assert [one["name"] for one in told["settings"]] == [one.name for one in settings_of(field)]
        assert [one["name"] for one in told["settings"] if one["role"] == "nvn"] == [getattr(NVN, field).name]
        assert told["title"].endswith(".")
        for one in told["settings"]:
            assert one["says"].endswith("."), (field, one)
            assert permitted.get((field, one["name"]), "") == one["because"]
            assert (one["role"] in ("world", "slack")) == bool(one["because"])
    text = refnvn("rules", "--fields").out
    assert all(f"{field}: " in text for field in FIELDS)
    worlds = sum(len({one.setting, *one.probes}) for one in WORLDS)
    assert text.splitlines()[-1].startswith(f"{len(FIELDS)} fields: {worlds} world, {len(SLACK)} slack, ")


def test_a_setting_knows_its_scope() -> None:
    """Worlds and slack say whether a result may mix them."""
    assert [one.scope for one in settings("store_norm")] == ["", "run"]


def test_the_ledger_counts_what_is_served() -> None:
    """Every row with its state, the rules that name it and what it waits for; then counts that add up."""
    answer = refnvn("rules", "--ledger", "--json").json
    assert [one["id"] for one in answer["rows"]] == [one.id for one in coverage()]
    assert sum(answer["counts"].values()) == 152
    assert set(answer["counts"]) == {"served", "partly", "pending"}
    lines = refnvn("rules", "--ledger").out.splitlines()
    assert len(lines) == 154
    assert lines[-1] == "152 rows: " + ", ".join(f"{n} {state}" for state, n in answer["counts"].items())


def test_a_ledger_row_in_full() -> None:
    """With ``--ledger`` IDs are rows: rule, fault, and what measurement superseded."""
    said = refnvn("rules", "--ledger", "d16-clear").out
    assert said.startswith("d16-clear (both; clear, depth-stencil, formats): ")
    assert "superseded: 0.5 becomes 32767, not 32768" in said
    assert "FMT-DEPTH-1" in said
    rows = refnvn("rules", "--ledger", "d16-clear", "indirect", "--json").json["rows"]
    assert [one["id"] for one in rows] == ["d16-clear", "indirect"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(("LAYOUT-GOB-9",), "'LAYOUT-GOB-9' is no rule; close to it: LAYOUT-GOB-", id="unknown-rule"),
        pytest.param(("--area", "NOWHERE"), "'NOWHERE' holds no rule; the areas are ", id="unknown-area"),
        pytest.param(("--area", "LAY"), "'LAY' holds no rule", id="half-an-area"),
        pytest.param(("--ledger", "nothing"), "'nothing' is no row of the ledger", id="unknown-row"),
        pytest.param(("--fields", "--ledger"), "ask for one", id="two-tables"),
        pytest.param(("--fields", "--open"), "ask for one", id="fields-and-open"),
        pytest.param(("--ledger", "--fault"), "ask for one", id="ledger-and-fault"),
        pytest.param(("LAYOUT-GOB-1", "REPLAY-IMAGE-10"), "'REPLAY-IMAGE-10' is no rule but a question", id="both"),
        pytest.param(("--fields", "LAYOUT-GOB-1"), "ask for one", id="fields-of-a-rule"),
    ],
)
def test_odd_questions_are_refused_in_one_line(arguments: tuple[str, ...], words: str) -> None:
    """The line says what there is."""
    assert words in complaint("rules", *arguments)


def test_choices_combine() -> None:
    """``--open`` and ``--area`` together list the open rules of an area."""
    listed = refnvn("rules", "--open", "--area", "FMT", "--json").json["rules"]
    assert [one["id"] for one in listed] == [
        one.id for one in RULES.values() if one.evidence >= Evidence.INFERRED and one.id.startswith("FMT-")
    ]
    for choice in (("--open",), ("--fault",), ("--area", "FMT")):
        assert refnvn("rules", "LAYOUT-GOB-1", *choice).out == "0 rules: none of those that are named is so\n"
