"""An answer is given again only where it rests on the very same things."""

import numpy as np

from refnvn.commands import commands as c
from refnvn.commands.state import ChannelMaskState
from refnvn.replay.rasterise import viewport_of
from refnvn.rules.kept import Kept
from refnvn.rules.registry import collect
from tests.replay.scenes import ref, run, targets, texels, texture
from tests.replay.shaders import PROGRAMS, WHITE, WHOLE, draw, set_up, vertices


def test_equal_things_that_are_others_are_asked_anew() -> None:
    """The two zeros are equal and give different answers."""
    kept = Kept()
    assert [kept.of(repr, (one,), one) for one in (0.0, -0.0, -0.0)] == ["0.0", "-0.0", "-0.0"]


def test_rules_count_each_time_that_an_answer_is_given() -> None:
    """A rule that gave a kept answer counts in each place that gets it."""
    kept = Kept()
    kept.of(viewport_of, (3,), 3)
    with collect() as used:
        assert kept.of(viewport_of, (3,), 16) == 3
    assert used == {"REPLAY-VIEWPORT-4"}


def test_what_is_forgotten_or_not_kept_is_asked_anew() -> None:
    """Where somebody looks on nothing is kept."""
    asked: list[int] = []
    note = asked.append
    kept = Kept()
    for turn in range(4):
        kept.keeps = turn < 3
        if turn == 2:
            kept.forget(note)
        kept.of(note, (), turn)
    assert asked == [0, 2, 3]


def test_many_answers_are_kept() -> None:
    """States that come again are found again, by what they are or by their value."""
    kept, asked = Kept(), []
    things = [object(), object()]
    for one in (*things, *things):
        kept.of(asked.append, (one,), one)
    assert asked == things
    assert [kept.by_value(str.upper, one, one) for one in ("a", "b", "a")] == ["A", "B", "A"]


def test_the_first_of_equal_records_stands_for_all() -> None:
    """Records that are equal become one object, unless nothing is kept."""
    kept = Kept()
    first, second = ChannelMaskState(masks=(1,) * 8), ChannelMaskState(masks=(1,) * 8)
    assert kept.same(first, first) is first
    assert kept.same(second, second) is first
    kept.keeps = False
    assert kept.same(second, second) is second


def test_what_is_set_between_draws_is_seen_by_the_next() -> None:
    """Scissors, masks and vertices change between draws that share all else."""
    image = texture("RGBA8", 8, 8)
    event, blobs = vertices(WHOLE)
    commands = [targets(ref()), *set_up(8, 8, program=WHITE)]
    for k in range(4):
        mask = c.BindChannelMaskState(state=ChannelMaskState(masks=(1 << k,) + (15,) * 7))
        commands += [c.SetScissor(x=2 * k, y=k, width=1, height=1), mask, draw()]
    results = run([image], [event, commands], blobs, programs=PROGRAMS)
    assert np.argwhere(texels(results, image)[0]).tolist() == [[k, 2 * k, k] for k in range(4)]
