"""``refnvn pixel``: the life of one sample, for people and as JSON."""

from __future__ import annotations

import pytest

from tests.cli.harness import complaint, refnvn

LIFE = """\
before the first command: 00 00 00 00 (R 0 = 0, G 0 = 0, B 0 = 0, A 0 = 0)
8 (timeline[2] command_buffers[0][7]) DrawArrays: stores ff 00 00 ff (R 255 = 1, G 0 = 0, B 0 = 0, A 255 = 1)
  primitive 1 (front): 1 passed
    input color = 1, 0, 0, 1
    output color = 1, 0, 0, 1
    color 0: codes 0, 0, 0, 0 -> 255, 0, 0, 255 (stores; writes RGBA)
10 (timeline[2] command_buffers[0][9]) ClearColor: stores 00 ff 00 ff (R 0 = 0, G 255 = 1, B 0 = 0, A 255 = 1)
timeline[3] ReadTexels 'target': read by processor
at the end: 00 ff 00 ff (R 0 = 0, G 255 = 1, B 0 = 0, A 255 = 1)
"""


def test_a_life_is_told():
    """A draw stores red, a clear stores green."""
    assert refnvn("pixel", "clear_ds/in_pass", 3, 5).out == LIFE


def test_a_life_is_json_with_its_rules():
    """The same as JSON, with the rules that each command used."""
    answer = refnvn("pixel", "clear_ds/in_pass", 3, 5, "--json").json
    draw, clear, read = answer["commands"]
    assert (draw["after"], clear["after"], answer["last"]) == ("ff0000ff", "00ff00ff", "00ff00ff")
    assert draw["fragments"][0]["outputs"] == {"color": [1.0, 0.0, 0.0, 1.0]}
    assert "RASTER-CLEAR-1" in clear["rules"]
    assert [one["event"]["name"] for one in (draw, read)] == ["Submit", "ReadTexels 'target'"]
    assert [one["reader"] for one in read["reads"]] == ["processor"]


def test_a_life_may_end_early_and_name_rules():
    """Until command 8 the clear has not happened; rules are named where they are asked for."""
    found = refnvn("pixel", "clear_ds/in_pass", 3, 5, "--until", 8, "--rules")
    assert "ClearColor" not in found.out
    assert "  by " in found.out


def test_memory_has_a_life():
    """Bytes of a pool."""
    found = refnvn("pixel", "copy_order/overlapping_writes", "--pool", 0, "--offset", 0, "--size", 4)
    assert found.code == 0
    assert found.out.startswith("before the first command: ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("clear_ds/in_pass",), "give X and Y, or bytes with --pool"),
        (("clear_ds/in_pass", 1), "give X and Y"),
        (("clear_ds/in_pass", 1, 1, "--pool", 0), "one of the two"),
        (("clear_ds/in_pass", 1, 1, "--target", 7), "texture 7; there are"),
        (("clear_ds/in_pass", 1, 1000), "y 1000; allowed are 0 to"),
        (("clear_ds/in_pass", 1, 1, "--until", 99), "command 99: allowed are 0"),
        (("no/such_scene", 1, 1), "no such golden"),
    ],
)
def test_a_place_that_is_not_there_is_one_line(arguments, words):
    """What was wrong and what is allowed."""
    assert words in complaint("pixel", *arguments)
