"""``refnvn rules``: every rule with its evidence, the switchboard, and how far the ledger is served."""

from __future__ import annotations

import difflib
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refnvn.cli.describe_rules import EVIDENCE_WORDS, code_place, faults_of, rule_dict, setting_dict, sources
from refnvn.cli.describe_unknown import are_all_unknown, tell_unknown
from refnvn.cli.jobs import jobs_option
from refnvn.cli.output import json_option, print_json, print_table
from refnvn.errors import ArgumentError, FieldRangeError
from refnvn.rules.evidence import Evidence
from refnvn.rules.fields import FIELDS
from refnvn.rules.ledger import LedgerCoverage, State, coverage, ledger_row
from refnvn.rules.registry import Rule, load_all
from refnvn.rules.settings import field_title, settings
from refnvn.rules.unknown import all_unknown

if TYPE_CHECKING:
    from refnvn.faults.fault import Fault

ID_WIDTH = 22
"""Room for an id; a longer one moves the rest of its line."""


@click.command("rules")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--area", metavar="AREA", help="Only the rules of an area: LAYOUT, FMT, FMT-NORM.")
@click.option("--open", "is_open", is_flag=True, help="Inferred and open rules, and what would settle each.")
@click.option(
    "--unknown", is_flag=True, help="What stops a replay, as nothing decides it, and what would settle each."
)
@click.option("--fault", is_flag=True, help="Rules that a known fault breaks, and how; then every modelled fault.")
@click.option("--matrix", is_flag=True, help="With --fault: which golden sees which fault; IDs are goldens' names.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="With --matrix: draw it, too (PNG).")
@jobs_option
@click.option(
    "--fields", is_flag=True, help="The switchboard: each field of Rules with its settings and their roles."
)
@click.option("--ledger", is_flag=True, help="How far each row of the ledger is served; IDs are rows then.")
@json_option
def command(
    ids: tuple[str, ...],
    area: str | None,
    is_open: bool,
    unknown: bool,
    fault: bool,
    matrix: bool,
    output: Path | None,
    jobs: int,
    fields: bool,
    ledger: bool,
    as_json: bool,
) -> None:
    """List the rules: id, evidence, statement and the ledger rows that each serves.

    With IDs each of these rules in full. Evidence, strongest first: switch, documents, hardware, specification,
    driver, inferred, open. Roles of settings: nvn is the default; world is what NVN may do otherwise; slack is what a
    port cannot be asked to match; fault is what a Metal path is known to do wrong.

    \b
    Examples:
      refnvn rules --area LAYOUT
      refnvn rules FMT-NORM-1
      refnvn rules --open
      refnvn rules --unknown
      refnvn rules --ledger d16-clear
      refnvn rules --fault --matrix clear_ --jobs 2 -o matrix.png
    """
    if matrix or output is not None:
        if not (fault and matrix) or is_open or fields or ledger or area:
            raise ArgumentError("--matrix goes with --fault, -o with both, and no other table beside them")
        from refnvn.cli.fault_matrix_output import tell_matrix

        tell_matrix(ids, jobs, output, as_json=as_json)
        return
    others = fields + ledger + unknown + (is_open or fault) > 1
    if others or (fields and (ids or area)) or ((ledger or unknown) and area):
        raise ArgumentError(
            "--fields, --ledger, --unknown and a choice of rules are four different tables; ask for one"
        )
    if unknown or are_all_unknown(ids, load_all()):
        tell_unknown(ids, as_json=as_json)
    elif fields:
        _fields(as_json)
    elif ledger:
        _ledger(ids, as_json)
    else:
        _rules(_chosen(ids, area, is_open, fault), in_full=bool(ids), is_open=is_open, fault=fault, as_json=as_json)


def _chosen(ids: tuple[str, ...], area: str | None, is_open: bool, fault: bool) -> list[Rule]:
    rules = load_all()
    wanted = list(dict.fromkeys(_existing(one.upper(), rules) for one in ids)) or list(rules)
    if area is not None:
        within = [one for one in wanted if f"{one}-".startswith(f"{area.upper().rstrip('-')}-")]
        if not any(f"{one}-".startswith(f"{area.upper().rstrip('-')}-") for one in rules):
            areas = sorted({one.split("-")[0] for one in rules})
            raise FieldRangeError(f"--area {area!r} holds no rule; the areas are {', '.join(areas)} and their topics")
        wanted = within
    chosen = [rules[one] for one in wanted]
    if is_open:
        chosen = [rule for rule in chosen if rule.evidence >= Evidence.INFERRED]
    if fault:
        chosen = [rule for rule in chosen if faults_of(rule)]
    return chosen


def _existing(rule_id: str, rules: dict[str, Rule]) -> str:
    if rule_id in rules:
        return rule_id
    if rule_id in {one.id for one in all_unknown()}:
        raise FieldRangeError(f"{rule_id!r} is no rule but a question that none answers; ask for it without rules")
    close = difflib.get_close_matches(rule_id, rules, n=3, cutoff=0.6)
    hint = f"; close to it: {', '.join(close)}" if close else ""
    raise FieldRangeError(f"{rule_id!r} is no rule{hint}; `refnvn rules` lists all {len(rules)}")


def _rules(rules: Sequence[Rule], *, in_full: bool, is_open: bool, fault: bool, as_json: bool) -> None:
    if as_json:
        modelled = {"faults": _modelled_faults()} if fault and not in_full else {}
        print_json({"rules": [_with_faults(rule) if fault else rule_dict(rule) for rule in rules], **modelled})
    elif in_full:
        told = "\n\n".join("\n".join(_in_full(rule)) for rule in rules)
        click.echo(told or "0 rules: none of those that are named is so")
    else:
        for rule in rules:
            _print_rule(rule, is_open=is_open, fault=fault)
        click.echo(f"{len(rules)} rules{_by_evidence(rules)}")
        if is_open:
            click.echo(f"{len(all_unknown())} questions that no rule answers stop a replay: refnvn rules --unknown")
        if fault:
            _print_modelled_faults()


def _modelled_faults() -> list[dict[str, Any]]:
    return [{"id": one.id, "ledger": list(one.rows), "symptom": one.symptom} for one in _every_fault()]


def _every_fault() -> list[Fault]:
    from refnvn.faults.fault import all_faults
    from refnvn.faults.setting_faults import setting_faults

    return [*all_faults().values(), *setting_faults(FIELDS)]


def _print_modelled_faults() -> None:
    from refnvn.faults.rows import not_modelled

    faults = _every_fault()
    settings_ = [one for one in faults if one.served is not None]
    click.echo("")
    for one in faults:
        rows = f"  [{', '.join(one.served)}]" if one.served else ""
        click.echo(f"{one.id:<{ID_WIDTH}} {one.symptom}{rows}")
    click.echo(
        f"{len(faults) - len(settings_)} modelled faults of scenes, which --matrix runs over the catalogue; "
        f"{len(settings_)} settings of fields; {len(not_modelled())} rows are not modelled (--ledger --json says why)"
    )


def _with_faults(rule: Rule) -> dict[str, Any]:
    faults = [{"field": one.field, **setting_dict(one)} for one in faults_of(rule)]
    return {**rule_dict(rule), "faults": faults}


def _by_evidence(rules: Sequence[Rule]) -> str:
    counts = Counter(rule.evidence for rule in rules)
    words = ", ".join(f"{count} {EVIDENCE_WORDS[rank]}" for rank, count in sorted(counts.items()))
    return f": {words}" if words else ""


def _print_rule(rule: Rule, *, is_open: bool, fault: bool) -> None:
    rows = f"  [{', '.join(rule.ledger)}]" if rule.ledger else ""
    _print_wrapped(f"{rule.id:<{ID_WIDTH}} {EVIDENCE_WORDS[rule.evidence]:<14} ", rule.says + rows)
    if is_open:
        _print_wrapped(" " * (ID_WIDTH + 16), f"settled by: {rule.refuted_by}")
    if fault:
        for one in faults_of(rule):
            _print_wrapped(" " * (ID_WIDTH + 16), f"{one.field}={one.name}: {one.says}")


def _print_wrapped(start: str, text: str) -> None:
    """Print one line, or on a terminal as many as it takes, under one another."""
    if not sys.stdout.isatty():
        click.echo(start + text)
        return
    width = max(len(start) + 30, shutil.get_terminal_size((110, 24)).columns)
    click.echo(textwrap.fill(text, width, initial_indent=start, subsequent_indent=" " * len(start)))


def _in_full(rule: Rule) -> Iterable[str]:
    yield f"{rule.id}: {rule.says}"
    yield f"  evidence:   {rule.evidence.title}"
    yield f"  exactness:  {rule.exactness}"
    for key in rule.sources:
        source = sources()[key]
        yield f"  source:     {key}: {source['title']} ({source['where']})"
    if rule.refuted_by:
        yield f"  refuted by: {rule.refuted_by}"
    yield from (f"  not known:  {question.asks}" for question in all_unknown() if question.id == rule.id)
    if rule.ledger:
        yield f"  ledger:     {', '.join(rule.ledger)}"
    for field in rule.fields:
        yield f"  field:      {field}: {field_title(field)}"
        for one in settings(field):
            yield f"              {_setting(one)}"
    yield f"  code:       {code_place(rule)}"


def _setting(one: Any) -> str:
    because = f" (because: {one.because})" if one.because else ""
    return f"{one.role:<6}{one.name}: {one.says}{because}"


def _fields(as_json: bool) -> None:
    rules = load_all().values()
    readers = {field: [rule.id for rule in rules if field in rule.fields] for field in FIELDS}
    if as_json:
        listed = [
            {
                "field": field,
                "title": field_title(field),
                "rules": readers[field],
                "settings": [setting_dict(one) for one in settings(field)],
            }
            for field in FIELDS
        ]
        print_json({"fields": listed})
        return
    for field in FIELDS:
        click.echo(f"{field}: {field_title(field)}  [{', '.join(readers[field])}]")
        for one in settings(field):
            click.echo(f"  {_setting(one)}")
    roles = Counter(one.role for field in FIELDS for one in settings(field))
    click.echo(f"{len(FIELDS)} fields: " + ", ".join(f"{roles[role]} {role}" for role in ("world", "slack", "fault")))


def _ledger(ids: tuple[str, ...], as_json: bool) -> None:
    covered = {one.id: one for one in coverage()}
    chosen = [covered[ledger_row(one).id] for one in dict.fromkeys(ids)] or list(covered.values())
    counts = {state: sum(one.state is state for one in chosen) for state in State}
    if as_json:
        from refnvn.faults.rows import not_modelled

        rest = {} if ids else {"not_modelled": not_modelled()}
        counted = {str(state): count for state, count in counts.items()}
        print_json({"rows": [_row_dict(one) for one in chosen], "counts": counted, **rest})
    elif ids:
        click.echo("\n\n".join("\n".join(_row_in_full(one)) for one in chosen))
    else:
        header = ("row", "scope", "state", "rules", "waits for")
        print_table(header, [(r.id, r.scope, r.state, _joined(r.rules), _joined(r.waits_for)) for r in chosen])
        click.echo(f"{len(chosen)} rows: " + ", ".join(f"{count} {state}" for state, count in counts.items()))


def _joined(words: Sequence[str]) -> str:
    return ", ".join(words) or "-"


def _row_in_full(one: LedgerCoverage) -> Iterable[str]:
    row = ledger_row(one.id)
    yield f"{row.id} ({row.scope}; {', '.join(row.capability)}): {one.state}"
    facts = {
        "NVN": row.nvn_rule,
        "fault": row.metal_fault,
        "modelled": _modelled(one.id),
        "superseded": row.superseded,
        "rules": ", ".join(one.rules),
        "waits for": ", ".join(one.waits_for),
        "tests": ", ".join(row.tests),
        "confidence": row.confidence,
    }
    for name, text in facts.items():
        if text:
            yield f"  {name + ':':<12}{text}"


def _modelled(row: str) -> str:
    """Return which faults model a row, or why none does."""
    from refnvn.faults.rows import faults_of_row, not_modelled

    if row in not_modelled():
        return f"not: {not_modelled()[row]}"
    return ", ".join(faults_of_row(row))


def _row_dict(one: LedgerCoverage) -> dict[str, Any]:
    row = ledger_row(one.id)
    return {
        "id": row.id,
        "scope": row.scope.value,
        "capability": list(row.capability),
        "state": one.state.value,
        "rules": list(one.rules),
        "waits_for": list(one.waits_for),
        "nvn_rule": row.nvn_rule,
        "metal_fault": row.metal_fault,
        "modelled": _modelled(one.id),
        "superseded": row.superseded,
        "tests": list(row.tests),
        "confidence": row.confidence,
    }
