"""``refnvn diagnose SCENE-or-TRACE ACTUAL``: which known faults explain a readback, the best first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refnvn.cli.jobs import run_jobs
from refnvn.cli.output import answering, check_output, print_json
from refnvn.compare.candidates import Left, candidate_named, left_by
from refnvn.compare.diagnose import Diagnosis, Explanation, diagnose
from refnvn.compare.image_earlier import earlier_images
from refnvn.compare.image_parts import parts_of
from refnvn.compare.image_remarks import remarks
from refnvn.compare.image_suspicions import ImageSuspicion, image_suspicions
from refnvn.errors import InputFileError, ShapeError, SizeError
from refnvn.faults.fault import Fault
from refnvn.rules.fields import Rules

if TYPE_CHECKING:
    from refnvn.golden.model import Golden
    from refnvn.trace.files import Trace

MOST_SHOWN = 8
MOST_WEAK = 3
LEAST_WEAK = 0.05
"""Of what is wrong, less what it misses."""


def diagnose_scene(
    source: str,
    actual: Path,
    given: Mapping[str, Any],
    trace: Trace,
    golden: Golden,
    *,
    exact: bool,
    jobs: int,
    page: Path | None,
    as_json: bool,
) -> None:
    """Print what explains a readback of a scene, and exit: 0 for same or permitted, 1 for wrong.

    Raises
    ------
    InputFileError
        For a readback of another size or shape.
    """
    if page is not None:
        check_output(page, actual, form=".html")
    runner = _Runner(trace, jobs)
    try:
        found = diagnose(trace, golden, given, runner.run, exact=exact)
    except (SizeError, ShapeError) as error:
        raise InputFileError(f"{actual}: {error}") from error
    views = {view.name: view for view in found.judged.views}
    parts = [] if found.is_exact else parts_of(views, trace.recording)
    seen, said = image_suspicions(parts, earlier_images(trace, parts)), remarks(parts)
    if page is not None:
        _write_page(page, trace, golden, found, _answer(found, seen, said))
    with answering(found.judged.verdict.exit_code):
        if as_json:
            print_json({"scene": source, "actual": str(actual), **_as_json(found, seen, said)})
        else:
            click.echo("\n".join(_lines(found, seen, said)))


class _Runner:
    """Replays of one trace with faults, in this process or in several."""

    def __init__(self, trace: Trace, jobs: int) -> None:
        self.trace = trace
        self.jobs = jobs

    def run(self, work: Sequence[tuple[Fault, Rules]]) -> Iterator[Left]:
        """Yield what each left, in order."""
        tasks = [(number, fault.id, self.trace, rules) for number, (fault, rules) in enumerate(work)]
        ready: dict[int, Left] = {}
        wanted = 0
        for number, left in run_jobs(_replayed, tasks, self.jobs, "trying faults"):
            ready[number] = left
            while wanted in ready:
                yield ready.pop(wanted)
                wanted += 1


def _replayed(number: int, fault: str, trace: Trace, rules: Rules) -> tuple[int, Left]:
    return number, left_by(candidate_named(fault), trace, rules)


def _lines(found: Diagnosis, seen: Sequence[ImageSuspicion], said: Sequence[str]) -> list[str]:
    return [found.judged.verdict.text(), "", *_answer(found, seen, said)]


def _answer(found: Diagnosis, seen: Sequence[ImageSuspicion], said: Sequence[str]) -> list[str]:
    """Return what explains a readback, as lines for people."""
    if not found.judged.verdict.wrong:
        return ["nothing to explain: every element is the same or permitted"]
    tried = f"{found.tried} faults that this scene can reach were tried"
    tried += f", {found.pairs} pairs of them" if found.pairs else ""
    lines = []
    told = [one for one in found.explanations if not (one.left_over if found.is_exact else one.is_weak)]
    if not told:
        lines.append(f"none of the known faults explains it ({tried})")
    else:
        how_much = "it" if found.is_exact else "a part of it"
        lines.append(f"known faults that explain {how_much} ({tried}):")
        for place, one in enumerate(told[:MOST_SHOWN], start=1):
            lines += [f" {place}. {one.words}: {' or '.join(one.ids)}", f"    {one.symptom}{_rows_of_settings(one)}"]
        if not found.is_exact:
            lines.append("none of them explains all of it")
    weak = [] if found.is_exact else [one for one in found.explanations if one.is_weak and _is_told(one)]
    if weak:
        shown = ", ".join(f"{one.ids[0]} ({one.words})" for one in weak[:MOST_WEAK])
        more = f", and {len(weak) - MOST_WEAK} more" if len(weak) > MOST_WEAK else ""
        lines.append(f"weak, since each leaves more than half of it open: {shown}{more}")
    if seen or said:
        lines += ["", "from the images alone:"]
        lines += [f" - {one.result}: {one.words}: {_share(one)}" for one in seen[:MOST_SHOWN]]
        lines += [f" - {remark}" for remark in said]
    return lines


def _is_told(weak: Explanation) -> bool:
    """Whether a weak explanation is worth naming; JSON has all of them."""
    return weak.explained - weak.missed >= LEAST_WEAK * weak.wrong


def _rows(one: Explanation) -> list[str]:
    """Return the rows of the ledger of what explains."""
    return sorted({row for name in one.ids for row in candidate_named(name).rows})


def _rows_of_settings(one: Explanation) -> str:
    """Return the rows in brackets where no id says them."""
    rows = ", ".join(_rows(one)) if any("=" in name for name in one.ids) else ""
    return f" [{rows}]" if rows else ""


def _share(one: ImageSuspicion) -> str:
    part = f"{one.explained} of {one.wrong} wrong texels"
    part += ", within one code" if one.within_one else ""
    return f"{part}, against it {one.missed} that are right" if one.missed else part


def _as_json(found: Diagnosis, seen: Sequence[ImageSuspicion], said: Sequence[str]) -> dict[str, Any]:
    return {
        "verdict": found.judged.verdict.to_dict(),
        "explained": found.is_exact,
        "faults": [
            {
                "ids": list(one.ids),
                "ledger": _rows(one),
                "symptom": one.symptom,
                "how_much": one.words,
                "explained": one.explained,
                "wrong": one.wrong,
                "missed": one.missed,
                "whole_results": list(one.whole),
                "weak": one.is_weak,
            }
            for one in found.explanations
        ],
        "tried": found.tried,
        "pairs": found.pairs,
        "made_impossible": found.impossible,
        "from_the_images": [
            {
                "result": one.result,
                "words": one.words,
                "explained_texels": one.explained,
                "wrong_texels": one.wrong,
                "missed_texels": one.missed,
                "within_one_code": one.within_one,
                "two_changes": one.by_two,
            }
            for one in seen
        ],
        "remarks": list(said),
    }


def _write_page(page: Path, trace: Trace, golden: Golden, found: Diagnosis, lines: Sequence[str]) -> None:
    from refnvn.compare.page import report_page
    from refnvn.compare.page_data import comparison_object
    from refnvn.compare.page_histories import page_histories
    from refnvn.files import write_file

    histories = page_histories(trace, found.judged)
    comparison = comparison_object(golden.name, golden.says, found.judged, histories=histories, diagnosis=lines)
    write_file(page, report_page(f"refnvn diagnose: {golden.name}", [comparison]))
