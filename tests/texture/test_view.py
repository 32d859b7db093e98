"""What views show of textures in memory, and what instructions of another dimension read."""

import numpy as np
import pytest

from refnvn.enumerations import MagFilter, MinFilter, TextureDepthStencilMode, TextureSwizzle, WrapMode
from refnvn.errors import FieldRangeError, SizeError, UnsupportedFormat
from refnvn.formats.element import element_of
from refnvn.formats.table import Format, format_named
from refnvn.layout.description import TextureDescription, TextureTarget
from refnvn.layout.texture import texture_layout
from refnvn.memory.memory import Memory
from refnvn.memory.pool import Pool
from refnvn.texture.declared import as_declared, unknown_content
from refnvn.texture.fetch import fetch
from refnvn.texture.handles import combined_handle, split_handle
from refnvn.texture.sample import sample
from refnvn.texture.sampler import Sampler
from refnvn.texture.view import StoredTexture, ViewFields, nested, plane_of, sampled_texture, shown

T = TextureTarget
R, A, ZERO = TextureSwizzle.R, TextureSwizzle.A, TextureSwizzle.ZERO


class Scene:
    """One texture in one pool."""

    def __init__(self, format_name: str, **description: object) -> None:
        self.fmt: Format = format_named(format_name)
        described = TextureDescription(element=element_of(self.fmt), **description)  # type: ignore[arg-type]
        self.memory = Memory()
        self.layout = texture_layout(described)
        size_B = -(-self.layout.storage_size_B // 4096) * 4096
        self.pool = self.memory.add_pool(0x10000, Pool(size_B))
        self.stored = StoredTexture(pool=self.pool, offset_B=0, layout=self.layout, fmt=self.fmt)

    def fill(self, codes: dict[tuple[int, int], object]) -> "Scene":
        """Set all texels of images, by (level, layer), to bytes."""
        for (level, layer), texel in codes.items():
            surface = self.memory.surface(self.pool, 0, self.layout, level, layer)
            surface.codes[:] = np.array(texel, np.uint8)
            surface.written()
        return self

    def words(self, view: ViewFields, texels: list[list[int]], **more: object) -> list[list[int]]:
        """Return the words that fetches through a view read, one list a lane."""
        found = fetch(sampled_texture(self.memory, self.stored, view), texels, **more)  # type: ignore[arg-type]
        return found.view(np.uint32).T.tolist()


def numbered(levels: int = 3, layers: int = 12) -> Scene:
    """Return an array of R8UI whose texels hold 16 * level + layer."""
    scene = Scene("R8UI", target=T.TARGET_2D_ARRAY, width=16, height=16, depth=layers, levels=levels)
    return scene.fill({(level, layer): [16 * level + layer] for level in range(levels) for layer in range(layers)})


@pytest.mark.rule("TEX-VIEW-1", "TEX-VIEW-2")
def test_a_cube_of_a_view_starts_where_both_say() -> None:
    """Levels 1.. and layers 6.. seen again as a cube: face 0 is level 1 of layer 6, face 5 layer 11."""
    outer = ViewFields(base_level=1, base_layer=6, swizzle=(R, R, R, R))
    both = nested(outer, ViewFields(target=T.TARGET_CUBEMAP))
    texture = sampled_texture(numbered().memory, numbered().stored, both)
    assert (len(texture.levels), texture.levels[0].shape[:3], texture.swizzle[3]) == (2, (6, 8, 8), R)
    assert [int(texture.levels[0][face, 0, 0, 0]) for face in range(6)] == [22, 23, 24, 25, 26, 27]


@pytest.mark.rule("TEX-VIEW-2")
@pytest.mark.parametrize("layers", [1, 6], ids=["cubes", "faces"])
def test_a_cube_view_counts_cubes_or_faces(layers: int) -> None:
    """Base 0 and one layer mean all six faces, which the six axes show in their order; six layers mean the same."""
    scene = numbered(levels=1)
    view = ViewFields(target=T.TARGET_CUBEMAP, layers=layers)
    assert shown(scene.stored, view).layers == 6
    axes = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float32).T
    found = sample(sampled_texture(scene.memory, scene.stored, view), Sampler(), axes)
    assert found.view(np.uint32)[0].tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("view", "error", "complaint"),
    [
        pytest.param(ViewFields(base_level=3), SizeError, "view levels 3", id="level"),
        pytest.param(ViewFields(base_level=1, levels=3), SizeError, r"levels 1 \+ 3", id="levels"),
        pytest.param(ViewFields(base_layer=12), SizeError, "view layers 12", id="layer"),
        pytest.param(ViewFields(base_layer=8, target=T.TARGET_CUBEMAP), SizeError, "needs 6 layers", id="cube"),
        pytest.param(ViewFields(fmt=format_named("R16")), UnsupportedFormat, "allowed are the 1", id="format"),
    ],
)
def test_a_view_of_what_there_is_not_is_refused(view: ViewFields, error: type[Exception], complaint: str) -> None:
    """One clear error."""
    scene = numbered()
    with pytest.raises(error, match=complaint):
        sampled_texture(scene.memory, scene.stored, view)


@pytest.mark.rule("TEX-VIEW-4")
def test_integers_survive_a_float_slot() -> None:
    """R32UI words read as R32F keep every bit: denormals, signalling NaN, negatives."""
    scene = Scene("R32UI", width=4)
    values = np.array([3, 0x7F800001, 0xFFFFFFFF, 0x80000000], "<u4")
    surface = scene.memory.surface(scene.pool, 0, scene.layout, 0, 0)
    surface.codes[:] = values.view(np.uint8).reshape(1, 1, 4, 4)
    surface.written()
    lanes = [[0, 1, 2, 3], [0, 0, 0, 0]]
    as_float = scene.words(ViewFields(fmt=format_named("R32F")), lanes)
    assert [lane[0] for lane in as_float] == values.tolist()


@pytest.mark.rule("TEX-VIEW-4")
def test_blocks_seen_as_integers_are_texels() -> None:
    """A BC1 texture of 8x8 pixels is 2x2 texels of RG32UI; as itself it is decoded, its edge cut off."""
    scene = Scene("RGBA_DXT1", width=7, height=5).fill({(0, 0): [0, 248, 0, 248, 0, 0, 0, 0]})
    plain = sampled_texture(scene.memory, scene.stored)
    assert plain.levels[0].shape[:3] == (1, 5, 7)
    assert fetch(plain, [[6], [4]])[:, 0].tolist() == [1, 0, 0, 1]
    assert scene.words(ViewFields(fmt=format_named("RG32UI")), [[1, 2], [1, 1]]) == [[0xF800F800, 0, 0, 1], [0] * 4]


@pytest.mark.rule("TEX-VIEW-4")
def test_depth_through_a_red_view() -> None:
    """D16 as R16 and D32F as R32F read (depth, 0, 0, 1)."""
    scene = Scene("DEPTH16", width=8, height=8).fill({(0, 0): [0, 0x40]})
    expected = float(np.float32(0x4000) / np.float32(65535))
    for view in (ViewFields(), ViewFields(fmt=format_named("R16"))):
        assert fetch(sampled_texture(scene.memory, scene.stored, view), [[3], [3]])[:, 0].tolist() == [
            expected,
            0,
            0,
            1,
        ]


@pytest.mark.rule("TEX-VIEW-3")
def test_a_stencil_view_reads_the_byte() -> None:
    """D24S8 in stencil mode, by view or by builder: 0x40 as an integer; in depth mode the depth."""
    scene = Scene("DEPTH24_STENCIL8", width=8, height=8).fill({(0, 0): [0x40, 0xFF, 0xFF, 0xFF]})
    stencil = TextureDepthStencilMode.STENCIL
    assert scene.words(ViewFields(depth_stencil_mode=stencil), [[1], [1]]) == [[0x40, 0, 0, 1]]
    twin = StoredTexture(pool=scene.pool, offset_B=0, layout=scene.layout, fmt=scene.fmt, depth_stencil_mode=stencil)
    assert fetch(sampled_texture(scene.memory, twin), [[1], [1]]).view(np.uint32)[0, 0] == 0x40
    assert fetch(sampled_texture(scene.memory, scene.stored), [[1], [1]])[:, 0].tolist() == [1, 0, 0, 1]
    assert plane_of(format_named("R8"), np.zeros(1, np.uint8), stencil)[0].name == "R8"


@pytest.mark.rule("TEX-SWIZZLE-1")
def test_565_keeps_red_in_the_low_bits() -> None:
    """0x001F reads red through RGB565 and blue through BGR565."""
    scene = Scene("RGB565", width=4, height=4).fill({(0, 0): [0x1F, 0]})
    red, blue = (
        fetch(sampled_texture(scene.memory, scene.stored, ViewFields(fmt=format_named(name))), [[0], [0]])[:, 0]
        for name in ("RGB565", "BGR565")
    )
    assert (red.tolist(), blue.tolist()) == ([1, 0, 0, 1], [0, 0, 1, 1])


@pytest.mark.rule("TEX-SWIZZLE-1")
def test_a_nibble_mapped_to_red() -> None:
    """RGBA4 0x0F00 is blue; mapped (B, G, R, A) it is red."""
    scene = Scene("RGBA4", width=2).fill({(0, 0): [0, 0x0F]})
    view = ViewFields(swizzle=(TextureSwizzle.B, TextureSwizzle.G, R, A))
    assert fetch(sampled_texture(scene.memory, scene.stored), [[0], [0]])[:, 0].tolist() == [0, 0, 1, 0]
    assert fetch(sampled_texture(scene.memory, scene.stored, view), [[0], [0]])[:, 0].tolist() == [1, 0, 0, 0]


def test_slices_are_filtered_between() -> None:
    """A 3D texture of slices 0 and 255: halfway between their middles both weigh the same."""
    scene = Scene("R8", target=T.TARGET_3D, width=1, height=1, depth=2)
    surface = scene.memory.surface(scene.pool, 0, scene.layout, 0, 0)
    surface.codes[1] = 255
    surface.written()
    sampler = Sampler(min_filter=MinFilter.LINEAR, mag_filter=MagFilter.LINEAR, wrap=(WrapMode.CLAMP_TO_EDGE,) * 3)
    texture = sampled_texture(scene.memory, scene.stored)
    assert abs(float(sample(texture, sampler, [[0.5], [0.5], [0.5]])[0, 0]) - 0.5) < 1e-4
    assert texture.levels[0].shape[:3] == (2, 1, 1)


def test_samples_are_told_apart() -> None:
    """Eight samples of a pixel in the order of the D3D mode, found by their number."""
    scene = Scene("R8UI", target=T.TARGET_2D_MULTISAMPLE, width=2, height=2, samples=8)
    surface = scene.memory.surface(scene.pool, 0, scene.layout, 0, 0)
    surface.codes[0, :, :, 0] = np.arange(32).reshape(4, 8)
    surface.written()
    texture = sampled_texture(scene.memory, scene.stored)
    lanes = np.array([[1] * 9, [0] * 9])
    found = fetch(texture, lanes, sample=np.arange(9)).view(np.uint32)[0].tolist()
    assert found == [6, 13, 15, 5, 12, 4, 14, 7, 0]


@pytest.mark.rule("TEX-SLOT-1")
@pytest.mark.parametrize(
    ("declared", "images"),
    [
        pytest.param(T.TARGET_2D, 1, id="flat"),
        pytest.param(T.TARGET_1D, 1, id="line"),
        pytest.param(T.TARGET_2D_ARRAY, 12, id="layers"),
        pytest.param(T.TARGET_CUBEMAP, 6, id="first-cube"),
        pytest.param(T.TARGET_CUBEMAP_ARRAY, 12, id="cubes"),
    ],
)
def test_the_instruction_decides(declared: TextureTarget, images: int) -> None:
    """An array of two cubes as other instructions see it: always from its first image on."""
    scene = numbered(levels=1)
    texture = as_declared(sampled_texture(scene.memory, scene.stored), declared)
    assert texture.target is declared
    assert texture.levels[0][:, 0, 0, 0].tolist() == list(range(images))


@pytest.mark.rule("TEX-SLOT-2")
@pytest.mark.parametrize("declared", [T.TARGET_CUBEMAP, T.TARGET_3D], ids=["cube", "volume"])
def test_what_cannot_be_read_is_recorded_as_zero(declared: TextureTarget) -> None:
    """A 2D texture in a cube or 3D slot: zeros, by a rule that says it is open."""
    scene = Scene("RGBA8", width=4, height=4).fill({(0, 0): [255, 255, 255, 255]})
    texture = as_declared(sampled_texture(scene.memory, scene.stored), declared)
    assert sample(texture, Sampler(), np.ones((3, 1), np.float32))[:, 0].tolist() == [0, 0, 0, 0]
    assert unknown_content(texture, declared).levels[0].shape[1:3] == (1, 1)


@pytest.mark.rule("TEX-HANDLE-1")
def test_a_handle_holds_two_ids() -> None:
    """0x00500123 is texture 0x123 through sampler 5; ids that do not fit are refused."""
    assert split_handle(0x00500123) == (0x123, 5)
    assert split_handle(combined_handle((1 << 20) - 1, (1 << 12) - 1)) == ((1 << 20) - 1, (1 << 12) - 1)
    with pytest.raises(FieldRangeError, match="sampler id 4096"):
        combined_handle(0, 4096)
