"""What draws of other primitives leave in memory: fans, quads, points, lines, instances, restart."""

from typing import Any

import numpy as np
import pytest

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.resources import Program
from refnvn.commands.state import DepthStencilState, PolygonState, VertexAttribState, VertexStreamState
from refnvn.enumerations import (
    DepthFunc,
    DrawPrimitive,
    IndexType,
    PolygonMode,
    PolygonOffsetEnable,
    ViewportSwizzle,
    WindowOriginMode,
)
from refnvn.replay.assemble import primitives_of
from refnvn.replay.draw_state import offset_is_on, sprite_origin
from refnvn.replay.errors import ReplayError
from refnvn.rules.fields import NVN, SpriteRows
from refnvn.shader.ir import to_object
from refnvn.shader.python import attribute, fragment_shader, gl, vec2, vec4, vertex_shader
from tests.replay.scenes import BUFFER, BUFFER_B, clear_depth, ref, run, targets, texels, texture
from tests.replay.shaders import NUMBERS, PROGRAMS, WHOLE, draw, set_up, vertices

LOWER, UPPER = WindowOriginMode.LOWER_LEFT, WindowOriginMode.UPPER_LEFT


@vertex_shader
def sized(position: vec4 = attribute(0)):  # type: ignore[no-untyped-def]
    gl.point_size = position.z * 16.0
    return vec4(position.xy, 0.0, 1.0)


@vertex_shader
def shifted(position: vec4 = attribute(0), offset: vec2 = attribute(1)):  # type: ignore[no-untyped-def]
    return vec4(position.xy + offset, position.zw)


@fragment_shader
def coordinate():  # type: ignore[no-untyped-def]
    return vec4(gl.point_coord, 0.0, 1.0)


@fragment_shader
def white():  # type: ignore[no-untyped-def]
    return vec4(1.0, 1.0, 1.0, 1.0)


MORE = (
    *PROGRAMS,
    Program(vertex=to_object(sized), fragment=to_object(coordinate)),
    Program(vertex=to_object(shifted), fragment=to_object(white)),
)
SIZED, SHIFTED = len(PROGRAMS), len(PROGRAMS) + 1


def pixels(data: Any, commands: list[Any], fmt: str = "R8", size: int = 8, **fields: Any) -> np.ndarray:
    """Return a square target after commands, the vertices being at the buffer's start."""
    image = texture(fmt, size, size)
    event, blobs = vertices(np.asarray(data, "<f4"))
    more, before = fields.pop("blobs", {}), fields.pop("before", [])
    found = run([image], [event, *before, commands], blobs | more, programs=MORE, **fields)
    return texels(found, image)[0]


def flat(*corners: tuple[float, float]) -> np.ndarray:
    """Return vertices at z 0, w 1."""
    return np.array([(x, y, 0.0, 1.0) for x, y in corners], "<f4")


def started(size: int = 8, **fields: Any) -> list[Any]:
    """Return the commands before a draw."""
    return [targets(ref()), *set_up(size, size, **({"size_B": 4096} | fields))]


@pytest.mark.rule("PRIMITIVE-TRIANGLES-1")
def test_a_fan_of_six_is_a_hexagon() -> None:
    """Around its first vertex, from 8 pixels wide to 16 and back."""
    corners = flat((-1, 0), (-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1))
    image = pixels(corners, [*started(16), draw(6, primitive=DrawPrimitive.TRIANGLE_FAN)], size=16)
    half = [8, 10, 10, 12, 12, 14, 14, 16]
    assert (image[..., 0] != 0).sum(axis=1).tolist() == [*half, *half[::-1]]


@pytest.mark.rule("PRIMITIVE-QUADS-1", "PRIMITIVE-INDEX-1")
def test_two_quads_by_index_are_two_squares() -> None:
    """Eight 16-bit indices: squares of 2 x 2 and 4 x 4 pixels."""
    corners = flat((-1, -1), (-0.5, -1), (-0.5, -0.5), (-1, -0.5), (0, 0), (1, 0), (1, 1), (0, 1))
    indices = np.array([0, 1, 2, 3, 4, 5, 6, 7], "<u2")
    command = c.DrawElements(
        primitive=DrawPrimitive.QUADS, index_type=IndexType.SHORT, count=8, address=BUFFER + 1024
    )
    event = r.WriteMemory(pool=0, offset_B=BUFFER_B + 1024, blob="indices")
    image = pixels(corners, [*started(), command], before=[event], blobs={"indices": indices.tobytes()})[..., 0]
    assert (image[:2, :2] == 255).all()
    assert (image[4:, 4:] == 255).all()
    assert int((image != 0).sum()) == 20


@pytest.mark.rule("PRIMITIVE-INDEX-1")
def test_indices_of_eight_bits_are_read_as_they_are() -> None:
    """0, 1, 2, 2, 1, 3: the whole target."""
    corners = flat((-1, -1), (1, -1), (-1, 1), (1, 1))
    command = c.DrawElements(
        primitive=DrawPrimitive.TRIANGLES, index_type=IndexType.BYTE, count=6, address=BUFFER + 1024
    )
    event = r.WriteMemory(pool=0, offset_B=BUFFER_B + 1024, blob="indices")
    image = pixels(corners, [*started(), command], before=[event], blobs={"indices": bytes([0, 1, 2, 2, 1, 3])})
    assert int((image != 0).sum()) == 64


@pytest.mark.rule("PRIMITIVE-ID-1", "PRIMITIVE-QUADS-1")
def test_a_quad_has_one_number() -> None:
    """Two quads side by side: primitive 0 and vertex 3, then primitive 1 and vertex 7."""
    corners = flat((-1, -1), (0, -1), (0, 1), (-1, 1), (0, -1), (1, -1), (1, 1), (0, 1))
    commands = [*started(program=NUMBERS), draw(8, primitive=DrawPrimitive.QUADS)]
    image = pixels(corners, commands, "RG32UI").view("<u4")
    assert {tuple(v) for v in image[:, :4].reshape(-1, 2).tolist()} == {(3, 0)}
    assert {tuple(v) for v in image[:, 4:].reshape(-1, 2).tolist()} == {(7, 1)}


@pytest.mark.rule("PRIMITIVE-RESTART-1", "PRIMITIVE-ID-1")
def test_a_restart_index_parts_strips_and_goes_on_counting() -> None:
    """Two strips of one triangle each; without restart index 255 is a vertex past the buffer."""
    corners = flat((-1, -1), (0, -1), (-1, 1), (0, -1), (1, -1), (1, 1))
    indices = bytes([0, 1, 2, 255, 3, 4, 5])
    event = r.WriteMemory(pool=0, offset_B=BUFFER_B + 1024, blob="indices")
    strip = c.DrawElements(
        primitive=DrawPrimitive.TRIANGLE_STRIP, index_type=IndexType.BYTE, count=7, address=BUFFER + 1024
    )
    commands = [*started(program=NUMBERS), c.SetPrimitiveRestart(enable=True, index=255), strip]
    image = pixels(corners, commands, "RG32UI", before=[event], blobs={"indices": indices}).view("<u4")
    assert image[0, 0].tolist() == [2, 0]
    assert image[0, 7].tolist() == [5, 1]
    assert image[7, 3].tolist() == [0, 0]


@pytest.mark.rule("PRIMITIVE-RESTART-1")
def test_a_restart_index_is_compared_in_full_before_the_base_vertex() -> None:
    """Index 3 is not 0xffffffff, and 2 + 1 is not 3."""
    from refnvn.replay.indices import runs_between

    numbers = np.array([3, 4, 2]) + 1
    assert [run.tolist() for run in runs_between(numbers, 1, 3)] == [[], [5, 3]]
    assert [run.tolist() for run in runs_between(numbers, 1, 0xFFFFFFFF)] == [[4, 5, 3]]


@pytest.mark.rule("REPLAY-INSTANCE-1", "VERTEX-DIVISOR-1")
def test_instances_start_at_the_base_instance() -> None:
    """Four instances, base 2, an offset of one column each: columns 2 to 5."""
    column = flat((-1, -1), (-0.75, -1), (-0.75, 1), (-1, 1))
    offsets = np.array([[0.25 * k, 0] for k in range(8)], "<f4")
    event = r.WriteMemory(pool=0, offset_B=BUFFER_B + 1024, blob="offsets")
    commands = [
        *started(program=SHIFTED),
        c.BindVertexAttribState(
            attribs=(VertexAttribState(format="RGBA32F"), VertexAttribState(format="RG32F", stream=1))
        ),
        c.BindVertexStreamState(streams=(VertexStreamState(stride_B=16), VertexStreamState(stride_B=8, divisor=1))),
        c.BindVertexBuffer(index=1, address=BUFFER + 1024, size_B=64),
    ]  # fmt: skip
    more = {"before": [event], "blobs": {"offsets": offsets.tobytes()}}
    drawn = c.DrawArraysInstanced(primitive=DrawPrimitive.QUADS, first=0, count=4, base_instance=2, instance_count=4)
    image = pixels(column, [*commands, drawn], **more)[..., 0]
    assert np.argwhere(image.all(axis=0))[:, 0].tolist() == [2, 3, 4, 5]
    indices = r.WriteMemory(pool=0, offset_B=BUFFER_B + 2048, blob="indices")
    more = {"before": [event, indices], "blobs": {"offsets": offsets.tobytes(), "indices": bytes([9, 10, 11, 12])}}
    by_index = c.DrawElementsInstanced(
        primitive=DrawPrimitive.QUADS, index_type=IndexType.BYTE, count=4, address=BUFFER + 2048, base_vertex=-9,
        base_instance=1, instance_count=2,
    )  # fmt: skip
    image = pixels(column, [*commands, by_index], **more)[..., 0]
    assert np.argwhere(image.all(axis=0))[:, 0].tolist() == [1, 2]


def test_no_instances_draw_nothing() -> None:
    """Nor is it an error."""
    none = c.DrawArraysInstanced(primitive=DrawPrimitive.TRIANGLES, first=0, count=3, instance_count=0)
    assert not pixels(WHOLE, [*started(), none]).any()


@pytest.mark.rule("RASTER-POINT-2", "REPLAY-SPRITE-1")
@pytest.mark.parametrize(("origin", "row"), [(LOWER, 12), (UPPER, 4)], ids=["lower", "upper"])
def test_a_shader_sizes_points_and_reads_their_coordinate(origin: WindowOriginMode, row: int) -> None:
    """One of size 8 in 16x16, the state's size 1: 64 pixels; t is least where the window shows the top."""
    commands = [*started(16, program=SIZED), draw(1, primitive=DrawPrimitive.POINTS)]
    image = pixels([(0, 0, 0.5, 1)], commands, "RGBA8", 16, window_origin=origin)
    assert int((image[..., 3] != 0).sum()) == 64
    assert image[row - 1 if row == 12 else row, 4:12, 1].tolist() == [16] * 8


@pytest.mark.rule("REPLAY-SPRITE-1")
def test_the_sprite_origin_is_a_choice() -> None:
    """Each world fixes how t runs over the rows of memory."""
    assert [sprite_origin(one, NVN) for one in (LOWER, UPPER)] == [UPPER, LOWER]
    rising, falling = (NVN.with_(sprite_rows=one) for one in (SpriteRows.RISING, SpriteRows.FALLING))
    assert {sprite_origin(one, rising) for one in (LOWER, UPPER)} == {LOWER}
    assert {sprite_origin(one, falling) for one in (LOWER, UPPER)} == {UPPER}


def test_points_and_lines_take_the_state_s_size() -> None:
    """A point of 4 pixels, and a line 3 wide over 8 columns."""
    one = [*started(), c.SetPointSize(size=4.0), draw(1, primitive=DrawPrimitive.POINTS)]
    assert int((pixels(flat((0, 0)), one) != 0).sum()) == 16
    line = [*started(), c.SetLineWidth(width=3.0), draw(2, primitive=DrawPrimitive.LINES)]
    assert int((pixels(flat((-1, 0.1), (1, 0.1)), line) != 0).sum()) == 24


@pytest.mark.rule("REPLAY-OFFSET-1", "RASTER-OFFSET-2")
def test_offset_acts_in_the_mode_that_it_is_enabled_for() -> None:
    """One unit moves a 16-bit depth of 0.5 by two codes, where filled polygons have it."""
    found = []
    for enables in (PolygonOffsetEnable.FILL, PolygonOffsetEnable.LINE):
        zeta = texture("DEPTH16", 8, 8)
        event, blobs = vertices(WHOLE)
        state = DepthStencilState(depth_test=True, depth_write=True, depth_func=DepthFunc.ALWAYS)
        commands = [
            targets(depth_stencil=ref()),
            *set_up(8, 8),
            c.BindDepthStencilState(state=state),
            c.BindPolygonState(state=PolygonState(polygon_offset_enables=int(enables))),
            c.SetPolygonOffsetClamp(factor=0.0, units=1.0, clamp=0.0),
            draw(),
        ]
        codes = texels(run([zeta], [event, commands], blobs, programs=MORE), zeta).view("<u2")
        found.append(set(codes.ravel().tolist()))
    assert found == [{32769}, {32767}]
    assert offset_is_on(PolygonState(polygon_offset_enables=4))
    assert not offset_is_on(PolygonState(polygon_mode=PolygonMode.LINE, polygon_offset_enables=4))


@pytest.mark.rule("RASTER-BOUNDS-1", "RASTER-BOUNDS-2")
def test_depth_bounds_look_at_what_is_stored() -> None:
    """Over 0.5 a fragment at any depth passes bounds of 0.25 to 0.5, and fails those of 0.6 to 1."""
    for near, far, count in ((0.25, 0.5, 64), (0.6, 1.0, 0)):
        image, zeta = texture("R8", 8, 8), texture("DEPTH32F", 8, 8, offset_B=1 << 14)
        event, blobs = vertices(WHOLE)
        commands = [
            targets(ref(0), depth_stencil=ref(1)),
            clear_depth(0.5),
            *set_up(8, 8),
            c.SetDepthBounds(enable=True, near=float(np.float32(near)), far=float(np.float32(far))),
            draw(),
        ]
        found = run([image, zeta], [event, commands], blobs, programs=MORE)
        assert int((texels(found, image) != 0).sum()) == count


@pytest.mark.rule("RASTER-SWIZZLE-1")
def test_a_swizzle_of_minus_y_turns_the_picture() -> None:
    """A rectangle over the upper half of the clip volume is drawn in the lower half."""
    half = flat((-1, 0), (1, 0), (1, 1), (-1, 1))
    plain = [*started(), draw(4, primitive=DrawPrimitive.QUADS)]
    turned = (
        ViewportSwizzle.POSITIVE_X,
        ViewportSwizzle.NEGATIVE_Y,
        ViewportSwizzle.POSITIVE_Z,
        ViewportSwizzle.POSITIVE_W,
    )
    swizzled = [*plain[:-1], c.SetViewportSwizzles(first=0, swizzles=(turned,)), plain[-1]]  # fmt: skip
    assert (pixels(half, plain)[4:] == 255).all()
    assert (pixels(half, swizzled)[:4] == 255).all()
    assert not pixels(half, swizzled)[4:].any()


@pytest.mark.rule("REPLAY-VIEWPORT-2")
def test_a_viewport_s_direction_is_its_own() -> None:
    """The same upper half under a viewport that was recorded with an upper-left origin: rows 0 to 3."""
    half = flat((-1, 0), (1, 0), (1, 1), (-1, 1))
    rows = {}
    for origin in (LOWER, UPPER):
        viewport = c.SetViewports(first=0, viewports=((0.0, 0.0, 8.0, 8.0),), window_origin=origin)
        image = pixels(half, [*started(), viewport, draw(4, primitive=DrawPrimitive.QUADS)])
        rows[origin] = np.argwhere(image.any(axis=(1, 2)))[:, 0].tolist()
    assert rows == {LOWER: [4, 5, 6, 7], UPPER: [0, 1, 2, 3]}


def test_the_first_of_several_scissors_and_ranges_counts() -> None:
    """Those from number 1 on change nothing."""
    commands = [
        *started(),
        c.SetScissors(first=0, scissors=((0, 0, 4, 8), (0, 0, 1, 1))),
        c.SetDepthRanges(first=1, ranges=((0.0, 0.0),)),
        c.SetViewports(first=1, viewports=((0.0, 0.0, 1.0, 1.0),)),
        c.SetViewportSwizzles(first=3, swizzles=((ViewportSwizzle.NEGATIVE_X,) * 4,)),
        draw(),
    ]
    assert int((pixels(WHOLE, commands) != 0).sum()) == 32


def test_a_seventeenth_viewport_is_refused() -> None:
    """There are sixteen."""
    commands = [*started(), c.SetScissors(first=15, scissors=((0, 0, 1, 1),) * 2)]
    with pytest.raises(ReplayError, match="scissors: 2 from number 15 on; there are 16"):
        pixels(WHOLE, commands)


@pytest.mark.rule("PRIMITIVE-POLYGON-1", "PRIMITIVE-ADJACENCY-1", "PRIMITIVE-LINES-1")
@pytest.mark.parametrize(
    ("primitive", "count", "first", "last"),
    [
        pytest.param(DrawPrimitive.POLYGON, 4, [0, 0], [0, 0], id="polygon"),
        pytest.param(DrawPrimitive.TRIANGLE_FAN, 4, [1, 2], [2, 3], id="fan"),
        pytest.param(DrawPrimitive.QUAD_STRIP, 6, [0, 0, 2, 2], [3, 3, 5, 5], id="quad-strip"),
        pytest.param(DrawPrimitive.LINES_ADJACENCY, 8, [1, 5], [2, 6], id="lines-adjacency"),
        pytest.param(DrawPrimitive.TRIANGLE_STRIP_ADJACENCY, 8, [0, 2], [4, 6], id="strip-adjacency"),
        pytest.param(DrawPrimitive.TRIANGLE_STRIP_ADJACENCY, 9, [0, 2], [4, 6], id="strip-adjacency-one-left-over"),
        pytest.param(DrawPrimitive.LINE_LOOP, 3, [0, 1, 2], [1, 2, 0], id="loop"),
    ],
)
def test_the_provoking_vertex_by_convention(
    primitive: DrawPrimitive, count: int, first: list[int], last: list[int]
) -> None:
    """As the family prims measured it."""
    assert primitives_of(primitive, count, first_provokes=True).provoking.tolist() == first
    assert primitives_of(primitive, count).provoking.tolist() == last


@pytest.mark.parametrize("primitive", [one for one in DrawPrimitive if one is not DrawPrimitive.PATCHES])
def test_too_few_vertices_make_nothing(primitive: DrawPrimitive) -> None:
    """No vertex draws nothing, whatever the primitive; every vertex named is one of the run."""
    assert len(primitives_of(primitive, 0)) == 0
    for count in range(14):
        found = primitives_of(primitive, count)
        assert found.vertices.max(initial=-1) < count
        assert np.isin(found.provoking, np.arange(max(count, 1))).all()
