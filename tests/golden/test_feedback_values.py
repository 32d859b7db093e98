"""What goldens of unordered reads permit: old and new texels in any mixture, and no third value.

The numbers are worked out by hand from what the scenes draw.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from numpy.typing import NDArray

from refnvn.compare.judge import judge
from refnvn.golden.build import build
from refnvn.golden.case import case_named
from refnvn.golden.model import Golden, Reason

RED, VIOLET, ORANGE = [255, 0, 0, 255], [102, 0, 204, 255], [204, 153, 0, 255]
"""What is there at the barrier, and what two draws after it leave."""


@functools.cache
def golden_of(name: str) -> Golden:
    """Return a golden of the catalogue, built once."""
    return build(case_named(name))


def reworked(held: list[int]) -> list[int]:
    """Return what the reading draw leaves: green, the red that it read in blue, the green in alpha."""
    return [0, 255, held[0], held[1]]


def left_half(golden: Golden, name: str, *pixels: list[int]) -> NDArray[np.uint8]:
    """Return a result whose left half cycles through pixels, the right half being what it is."""
    base = golden.result(name).base.array.copy()
    half = base[:, :8].reshape(-1, 4)
    half[:] = [pixels[i % len(pixels)] for i in range(len(half))]
    base[:, :8] = half.reshape(base[:, :8].shape)
    return base


def outcome(golden: Golden, name: str, content: NDArray[np.uint8]) -> str:
    """Return how a readback is judged."""
    return judge(golden, {name: content.tobytes()}).outcome


def test_by_nvn_the_reading_draw_sees_what_is_there() -> None:
    """The base is the newest value: violet after one draw, orange after two."""
    golden = golden_of("feedback/no_barrier")
    for name, held in (("two_values", VIOLET), ("three_values", ORANGE)):
        assert (golden.result(name).base.array == left_half(golden, name, reworked(held))).all()


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("two_values", (RED,)),
        ("two_values", (RED, VIOLET)),
        ("three_values", (RED,)),
        ("three_values", (VIOLET,)),
        ("three_values", (RED, VIOLET, ORANGE)),
    ],
)
def test_old_and_new_texels_pass_in_any_mixture(name: str, held: tuple[list[int], ...]) -> None:
    """All old, all from between, or every texel another one."""
    golden = golden_of("feedback/no_barrier")
    assert outcome(golden, name, left_half(golden, name, *map(reworked, held))) == "permitted"


@pytest.mark.parametrize(
    ("name", "pixel"),
    [
        ("two_values", reworked(ORANGE)),
        ("two_values", [0, 255, 103, 0]),
        ("two_values", [0, 254, 102, 0]),
        ("three_values", [0, 255, 128, 0]),
        ("three_values", [255, 0, 255, 255]),
    ],
)
def test_a_third_value_fails(name: str, pixel: list[int]) -> None:
    """A value that the texel never held, one code beside one, another channel, and the magenta of a block."""
    golden = golden_of("feedback/no_barrier")
    content = golden.result(name).base.array.copy()
    content[5, 3] = pixel
    assert outcome(golden, name, content) == "wrong"


def test_the_half_that_is_not_drawn_has_one_value() -> None:
    """Right of the scissor nothing is open."""
    golden = golden_of("feedback/no_barrier")
    for name in ("two_values", "three_values", "reads_of_reads"):
        result = golden.result(name)
        assert not result.mask[:, 8:].any()
        assert (result.base.array[:, 8:] == RED).all()


def test_of_two_pixels_and_of_reads_of_reads_nothing_is_claimed() -> None:
    """Where several free choices meet, any value passes, but only in the channels that they reach."""
    golden = golden_of("feedback/no_barrier")
    for name, open_channels in (("two_pixels", [2]), ("reads_of_reads", [0])):
        content = golden.result(name).base.array.copy()
        content[4, 3, open_channels] = 77
        assert outcome(golden, name, content) == "permitted"
        content[4, 3, 1] ^= 1
        assert outcome(golden, name, content) == "wrong"


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("feedback/order_without_invalidate", "order_then_invalidate"),
        ("feedback/order_without_invalidate", "tiled"),
        ("feedback/image_load", "two"),
        ("rast_discard/producer_and_consumer", "primitives"),
        ("rast_discard/producer_and_consumer", "with_shader_caches"),
        ("rast_discard/write_after_read", "primitives"),
        ("rast_discard/write_after_read", "everything"),
        ("barriers/fragment_images", "order"),
        ("barriers/fragment_images", "with_texture_cache"),
        ("barriers/fragment_images", "tiled"),
        ("barriers/vertex_reader", "ordered"),
    ],
)
def test_what_a_barrier_orders_is_not_open(name: str, result: str) -> None:
    """No element of these is undefined."""
    assert not (golden_of(name).result(result).mask & Reason.UNDEFINED).any()


@pytest.mark.parametrize(
    ("name", "ordered", "unordered"),
    [
        ("feedback/order_without_invalidate", "tiled", "order"),
        ("feedback/order_without_invalidate", "tiled", "invalidate"),
        ("rast_discard/producer_and_consumer", "primitives", "none"),
        ("rast_discard/producer_and_consumer", "primitives", "fragments"),
        ("rast_discard/write_after_read", "primitives", "fragments"),
        ("barriers/fragment_images", "order", "none"),
        ("barriers/vertex_reader", "ordered", "fragments_only"),
    ],
)
def test_without_the_barrier_the_same_result_is_one_of_several(name: str, ordered: str, unordered: str) -> None:
    """By NVN's setting both are equal; only one of them is open."""
    golden = golden_of(name)
    assert (golden.result(ordered).base.array == golden.result(unordered).base.array).all()
    assert (golden.result(unordered).mask & Reason.UNDEFINED).any()


def test_fragment_images_add_up() -> None:
    """100 and twice 50."""
    for result in golden_of("barriers/fragment_images").results:
        assert (result.base.array.view(np.float32) == 200.0).all()


def test_layers_hold_their_own_colours_and_the_sixth_the_first_ones() -> None:
    """Fifths of white, 51 codes each."""
    (layers,) = golden_of("perf_order/layers").results
    assert layers.base.array.reshape(6, -1).max(axis=1).tolist() == [51, 102, 153, 204, 255, 51]
    assert layers.base.array.reshape(6, -1).min(axis=1).tolist() == [51, 102, 153, 204, 255, 51]


def test_a_later_store_may_reach_a_read_that_no_barrier_protects() -> None:
    """Green lies left, or where the later offsets put it, under the red; nothing else is there."""
    golden = golden_of("rast_discard/write_after_read")
    name = "fragments"
    base = golden.result(name).base.array
    assert (base[:, :4] == [0, 255, 0, 255]).all()
    assert (base[:, 4:] == [255, 0, 0, 255]).all()
    reached = base.copy()
    reached[:, :4] = 0
    assert outcome(golden, name, reached) == "permitted"
    assert outcome(golden, "primitives", reached) == "wrong"
    reached[2, 1] = [0, 0, 255, 255]
    assert outcome(golden, name, reached) == "wrong"
