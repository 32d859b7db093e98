"""Lines of a pass log: what their letters may mean, what their words decide, and what nobody described."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.dumps.pass_log import MOST_LINE, LineKind, read_pass_log
from refnvn.errors import SizeError


def kinds(line: str) -> set[LineKind]:
    """Return what one line may be."""
    return set(read_pass_log(line).lines[0].kinds)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("P 3 c0 mtl=0x10", LineKind.ATTACHMENTS),
        ("C 3 cleared in a pass of its own (0 6 layers 1)", LineKind.OWN_CLEAR),
        ("K 3 vs=00ff fs=11ee", LineKind.KEYS),
        ("B 3 cb 2", LineKind.BINDING),
        ("d 3 po=1/2,0,0 dc=0", LineKind.DRAW_STATE),
        ("D 3 dr=0..1 lo=7", LineKind.DRAW_STATE),
        ("Y tf begin 0x100 written 0/0/0/0", LineKind.FEEDBACK),
        ("Y 4 512 bytes", LineKind.INLINE_UPDATE),
        ("X 9", LineKind.TEXTURE_CLEAR),
        ("T 3 tf capture", LineKind.FEEDBACK_CAPTURE),
        ("T 3 to 4", LineKind.TEXTURE_COPY),
        ("Z 7 draw skipped: no program bound", LineKind.DROPPED_DRAW),
        ("Z 7 bits=0x3", LineKind.BARRIER),
        ("N 2 same-pass feedback sampling", LineKind.INNER_FEEDBACK),
        ("N 2", LineKind.SKIPPED),
        ("W 1", LineKind.COMPUTE_IMAGES),
        ("V 3 c0 view format RGBA8_SRGB", LineKind.VIEW_FORMAT),
        ("L 3 layered pass: 6 layers", LineKind.LAYERED),
        ("L 3 slice-merged pass", LineKind.MERGED_SLICES),
        ("M 3 goes on in layer 2", LineKind.CONTINUED),
        ("H 3 dispatch 4 moved ahead of the pass", LineKind.HOISTED_DISPATCH),
        ("E 1", LineKind.CONDITION),
        ("Q report type=16", LineKind.REPORT),
        ("J 1", LineKind.PIPELINE),
        ("c slot=0 serial=4 mask=0xf", LineKind.CLEAR),
        ("j 1", LineKind.DRAW),
        ("[zb] level 0: 3 of 40", LineKind.ZERO_BLOCKS),
        ("[kd] attribute 0", LineKind.KEY_DATA),
        ("[mag] pass -1", LineKind.MAGENTA),
        ("R 5", LineKind.UNKNOWN),
        ("something else", LineKind.UNKNOWN),
        ("[nvn] calls", LineKind.UNKNOWN),
        ("-", LineKind.UNKNOWN),
    ],
)
def test_a_line_is_what_its_letter_and_words_say(line: str, kind: LineKind) -> None:
    """One kind each; R lines occur and were never described."""
    assert kinds(line) == {kind}


def test_a_letter_of_two_meanings_stays_both() -> None:
    """A C line without words that decide may be clear colours or a copy, and is never guessed at."""
    log = read_pass_log("C 3 a=1\nB 1")
    assert set(log.lines[0].kinds) == {LineKind.CLEAR_COLOURS, LineKind.BUFFER_COPY}
    assert log.ambiguous == (log.lines[0],)
    assert not log.lines[0].is_known
    assert log.lines[1].is_known


def test_fields_and_words_are_kept_in_order() -> None:
    """Keys may come again; what is no field stays a word; blank lines count but are no lines."""
    log = read_pass_log("\n  c 1 slot=0 depth slot=2 value=\n\nunknown line\n")
    first = log.lines[0]
    assert (first.number, first.letter, first.words) == (2, "c", ("1", "depth"))
    assert first.fields == (("slot", "0"), ("slot", "2"), ("value", ""))
    assert (first.field("slot"), first.field("none")) == ("0", None)
    assert [one.number for one in log.unknown] == [4]


def test_counts_name_what_is_not_known() -> None:
    """In the order of first appearance."""
    log = read_pass_log("B 1\nR 2\nB 3")
    assert log.counts() == [("B", "binding", 2), ("R", "not known", 1)]


@given(st.text(max_size=300))
def test_any_text_is_a_log(text: str) -> None:
    """Every line that is not blank becomes one record, and nothing of it is lost but the spaces."""
    log = read_pass_log(text)
    assert len(log.lines) == sum(bool(line.strip()) for line in text.splitlines())
    assert all(one.kinds for one in log.lines)


def test_a_line_that_no_log_has_is_refused() -> None:
    """Bounded work, whatever the file."""
    with pytest.raises(SizeError, match="line 2 has 65537 characters"):
        read_pass_log("B 1\n" + "x" * (MOST_LINE + 1))
