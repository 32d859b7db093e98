"""Draws that follow each other and are drawn as one leave what they leave one by one."""

from typing import Any

import numpy as np
import pytest

from refnvn.commands import commands as c
from refnvn.commands.recording import pool_base_B
from refnvn.commands.state import BlendState, ColorState
from refnvn.enumerations import BlendFunc, DepthFunc, DrawPrimitive, ShaderStage
from refnvn.replay import run as run_module
from refnvn.replay.draw_runs import draw_together, end_of_run
from refnvn.replay.errors import ReplayError
from refnvn.replay.run import Results
from refnvn.rules.registry import collect
from tests.replay.scenes import BUFFER, ref, run, targets, texture
from tests.replay.shaders import NUMBERS, PROGRAMS, TINTED, WHITE, depth_test, draw, set_up, vertices

SHAPES = (
    DrawPrimitive.TRIANGLES, DrawPrimitive.TRIANGLE_STRIP, DrawPrimitive.QUADS, DrawPrimitive.LINES,
    DrawPrimitive.POINTS,
)  # fmt: skip
OVER = BlendState(
    source_color=BlendFunc.ONE, destination_color=BlendFunc.SRC_ALPHA,
    source_alpha=BlendFunc.DST_ALPHA, destination_alpha=BlendFunc.ONE,
)  # fmt: skip


def both(monkeypatch: pytest.MonkeyPatch, commands: list[Any], data: np.ndarray, **fields: Any) -> list[Any]:
    """Replay as it is and one by one; return results, counters, used rules, and how many draws were joined."""
    images = [texture("RGBA8", 32, 32), texture("DEPTH24_STENCIL8", 32, 32, offset_B=1 << 14)]
    event, blobs = vertices(data)
    found = []
    for joins in (True, False):
        joined: list[int] = []

        def together(context: Any, some: Any, joins: bool = joins, joined: list[int] = joined) -> bool:
            done = joins and draw_together(context, some)
            joined.append(len(some) - 1 if done else 0)
            return done

        monkeypatch.setattr(run_module, "draw_together", together)
        with collect() as used:
            results: Results = run(images, [event, commands], blobs, programs=PROGRAMS, **fields)
        found.append(({name: data.tobytes() for name, data in results.items()}, results.counters, used, sum(joined)))
    return found


def some_vertices(seed: int) -> np.ndarray:
    """Return 96 vertices, a few behind the eye."""
    rng = np.random.default_rng(seed)
    data = rng.uniform(-1.4, 1.4, (96, 4)).astype("<f4")
    data[:, 3] = rng.uniform(-0.1, 1.5, 96)
    return data


def before(program: int, *more: Any) -> list[Any]:
    """Return the commands before draws to a colour and a depth target, blended."""
    return [
        targets(ref(0), depth_stencil=ref(1)),
        *set_up(32, 32, program=program, size_B=96 * 16),
        depth_test(DepthFunc.GEQUAL, write=True),
        c.BindColorState(state=ColorState(blend_enables=1)),
        c.BindBlendState(state=OVER),
        *more,
    ]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("program", [WHITE, NUMBERS])
def test_runs_of_draws_leave_what_single_draws_do(monkeypatch: pytest.MonkeyPatch, program: int, seed: int) -> None:
    """Random draws of every shape, blended and tested by depth; numbers of primitives start again with each draw."""
    rng = np.random.default_rng(seed)
    draws = [
        draw(int(rng.integers(0, 9)), int(rng.integers(0, 90)), SHAPES[rng.integers(0, len(SHAPES))])
        for _ in range(40)
    ]
    joined, single = both(monkeypatch, [*before(program), draw(), *draws], some_vertices(seed))
    assert joined[:3] == single[:3]
    assert (joined[3], single[3]) == (40, 0)


def test_vertices_inside_a_target_are_read_between_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vertex buffer in the target's own memory: each draw reads what the one before has drawn."""
    inside = c.BindVertexBuffer(index=0, address=pool_base_B(0), size_B=4096)
    commands = [*before(WHITE, inside), *(draw(3, first) for first in range(12))]
    joined, single = both(monkeypatch, commands, some_vertices(1))
    assert joined == single
    assert joined[3] == 0


def test_uniforms_inside_a_target_are_read_between_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A uniform buffer in the target's own memory likewise; one that is not lets draws be joined."""
    for address, count in ((pool_base_B(0), 0), (BUFFER + 4096, 11)):
        uniforms = c.BindUniformBuffer(stage=ShaderStage.FRAGMENT, index=2, address=address, size_B=256)
        commands = [*before(TINTED, uniforms), *(draw(3, first) for first in range(12))]
        joined, single = both(monkeypatch, commands, some_vertices(2))
        assert joined[:3] == single[:3]
        assert joined[3] == count


def test_a_condition_and_a_state_between_part_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws that do not happen count as such; a command between two draws is executed between them."""
    off, on = c.SetRenderEnable(enable=False), c.SetRenderEnable(enable=True)
    scissor = c.SetScissor(x=4, y=4, width=8, height=8)
    commands = [*before(WHITE), draw(), off, draw(), draw(), on, draw(3, 3), draw(3, 6), scissor, draw(), draw(3, 9)]
    joined, single = both(monkeypatch, commands, some_vertices(3))
    assert joined[:3] == single[:3]
    assert joined[3] == 2
    assert joined[1]["not_rendered"] == 2


def test_an_error_names_its_own_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third draw of a run is one that is not executed: the error has its number."""
    commands = [*before(WHITE), draw(), draw(), draw(), draw(4, 0, DrawPrimitive.PATCHES), draw()]
    with pytest.raises(ReplayError, match=rf"\[{len(commands) - 2}\]"):
        both(monkeypatch, commands, some_vertices(4))


def test_a_run_ends_with_another_command_or_many_vertices() -> None:
    """A run is draws of vertices with nothing between."""
    commands: list[Any] = [draw(), draw(), c.Barrier(bits=1), draw(1 << 16), draw()]
    assert [end_of_run(commands, k) for k in range(5)] == [2, 2, 2, 4, 5]
