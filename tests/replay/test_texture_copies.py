"""Copies from texture to texture: codes, planes, conversions, mirrors, scales."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refnvn.commands import commands as c
from refnvn.commands import recording as r
from refnvn.commands.resources import Region
from refnvn.enumerations import CopyFlags
from refnvn.formats.table import format_named
from refnvn.layout.description import TextureTarget
from refnvn.replay.copies import pixels_of_texels, texels_of_pixels
from refnvn.replay.copy_conversion import converted
from refnvn.replay.copy_filter import linear_texels, linear_values
from refnvn.replay.copy_places import nearest_texels, slice_texels
from refnvn.replay.errors import ReplayError
from refnvn.rules.fields import (
    NVN,
    BufferMirror,
    CopyConversion,
    CopyFilter,
    CopyPlace,
    CopySamples,
    CopySlices,
    CopyTie,
    CopyWeights,
    LackingStencil,
    Rules,
    watch,
)
from tests.replay.scenes import BUFFER, BUFFER_B, ref, run, texels, texture, whole

OTHER_B = 1 << 16
MULTISAMPLE = TextureTarget.TARGET_2D_MULTISAMPLE


def copy(first: Any, second: Any, flags: int = 0, **fields: Any) -> c.CopyTextureToTexture:
    """Return a copy from texture 0 to texture 1, whole unless regions are given."""
    return c.CopyTextureToTexture(
        **(
            {
                "source": ref(0),
                "source_region": whole(first),
                "destination": ref(1),
                "destination_region": whole(second),
                "flags": flags,
            }
            | fields
        )
    )


def after(
    source: Any, destination: Any, data: np.ndarray, command: Any, old: np.ndarray | None = None, rules: Rules = NVN
) -> np.ndarray:
    """Return texture 1 after texture 0 was written and a command ran."""
    events: list[Any] = [r.WriteTexels(texture=ref(0), region=whole(source), blob="source")]
    blobs = {"source": data.tobytes()}
    if old is not None:
        events.append(r.WriteTexels(texture=ref(1), region=whole(destination), blob="old"))
        blobs["old"] = old.tobytes()
    results = run([source, destination], [*events, [command]], blobs, rules)
    return texels(results, destination, 1)


@pytest.mark.rule("COPY-TEXTURE-1")
def test_equal_formats_keep_every_bit() -> None:
    """Signalling NaN and negative zero move as they are, layer by layer."""
    image = texture("R32F", 4, 2, target=TextureTarget.TARGET_2D_ARRAY, depth=3)
    other = texture("R32F", 4, 2, target=TextureTarget.TARGET_2D_ARRAY, depth=3, offset_B=OTHER_B)
    words = np.arange(24, dtype="<u4") * 0x10000001 | 0x7F800001
    assert (after(image, other, words, copy(image, other)).view("<u4").ravel() == words).all()


@pytest.mark.rule("COPY-TEXTURE-1")
def test_blocks_move_into_texels_of_their_size() -> None:
    """Two by two BC1 blocks are two by two RG32UI texels."""
    image, other = texture("RGBA_DXT1", 8, 8), texture("RG32UI", 2, 2, offset_B=OTHER_B)
    data = np.arange(32, dtype=np.uint8)
    assert (after(image, other, data, copy(image, other)).ravel() == data).all()


@pytest.mark.rule("COPY-TEXTURE-1")
def test_a_copy_inside_one_texture_reads_first() -> None:
    """Overlapping regions: the source is what it was before."""
    image, other = texture("R8", 4, 1), texture("R8", 4, 1, offset_B=OTHER_B)
    command = copy(
        image, image, destination=ref(0), source_region=Region(width=3), destination_region=Region(x=1, width=3)
    )
    results = run(
        [image, other],
        [r.WriteTexels(texture=ref(0), region=whole(image), blob="a"), [command]],
        {"a": bytes([1, 2, 3, 4])},
    )
    assert texels(results, image).ravel().tolist() == [1, 1, 2, 3]


@pytest.mark.rule("COPY-TEXTURE-2")
@pytest.mark.parametrize(
    ("read", "data", "written", "expected"),
    [
        pytest.param("R11G11B10F", [0x3C0 | 0x380 << 11 | 0x1E0 << 22], "RGBA16F", [0x3C00, 0x3800, 0x3C00, 0x3C00],
                     id="one-half-one"),
        pytest.param("RGBA8", [0x80FF7F00], "RGB565", [0xFBE0], id="to-565"),
        pytest.param("RGBA32UI", [1, 300, 70000, 7], "RGBA8UI", [0x07FFFF01], id="integers-saturate"),
    ],
)  # fmt: skip
def test_other_formats_convert(read: str, data: list[int], written: str, expected: list[int]) -> None:
    """Texels read as textures and store as draws."""
    source, destination = format_named(read), format_named(written)
    codes = np.array(data, "<u4").view(np.uint8).reshape(1, 1, -1)
    found = converted(source, destination, codes, NVN)
    kind = {"RGBA16F": "<u2", "RGB565": "<u2", "RGBA8UI": "<u4"}[written]
    assert found.view(kind).ravel().tolist() == expected


@pytest.mark.rule("COPY-TEXTURE-3")
def test_formats_of_one_size_convert_or_move() -> None:
    """Half grey becomes sRGB code 188, measured with encoding on, or stays 128, measured with it off."""
    plain, srgb = format_named("RGBA8"), format_named("RGBA8_SRGB")
    codes = np.full((1, 1, 4), 128, np.uint8)
    assert converted(plain, srgb, codes, NVN).ravel().tolist() == [188, 188, 188, 128]
    moved = NVN.with_(copy_conversion=CopyConversion.SIZES)
    assert converted(plain, srgb, codes, moved).ravel().tolist() == [128] * 4


def combined(depths: list[float], stencil: int) -> np.ndarray:
    """Return texels of DEPTH32F_STENCIL8."""
    found = np.zeros(len(depths), [("depth", "<f4"), ("stencil", "<u4")])
    found["depth"], found["stencil"] = depths, stencil
    return found


@pytest.mark.rule("COPY-TEXTURE-4", "COPY-TEXTURE-5")
def test_depth_moves_between_combined_and_plain() -> None:
    """Bits of the depth, above 1 too; the stencil of the other way round is kept or zero."""
    depths = [0.1, -0.0, 1.5, 1e-40]
    image, other = texture("DEPTH32F_STENCIL8", 4), texture("DEPTH32F", 4, offset_B=OTHER_B)
    there = after(image, other, combined(depths, 7), copy(image, other))
    assert (there.view("<u4").ravel() == np.array(depths, "<f4").view("<u4")).all()
    plain, back = texture("DEPTH32F", 4), texture("DEPTH32F_STENCIL8", 4, offset_B=OTHER_B)
    data, old = np.array(depths, "<f4"), combined([0.5] * 4, 9)
    for rules, stencil in ((NVN, 9), (NVN.with_(lacking_stencil=LackingStencil.ZERO), 0)):
        found = after(plain, back, data, copy(plain, back), old, rules).view("<u4").reshape(4, 2)
        assert (found[:, 0] == data.view("<u4")).all()
        assert (found[:, 1] & 255).tolist() == [stencil] * 4


@pytest.mark.rule("COPY-TEXTURE-4")
def test_stencil_moves_where_both_have_one() -> None:
    """Scaled to half, the left half keeps 2."""
    image, other = texture("DEPTH24_STENCIL8", 8, 8), texture("DEPTH24_STENCIL8", 4, 4, offset_B=OTHER_B)
    data = np.zeros((8, 8), "<u4")
    data[:, :4] = 2
    found = after(image, other, data, copy(image, other)).view("<u4").reshape(4, 4)
    assert (found[:, :2] == 2).all()
    assert not found[:, 2:].any()


@pytest.mark.rule("COPY-NEAREST-1")
def test_a_scaled_copy_takes_the_texel_under_the_middle() -> None:
    """As measured: 16 to 8 takes the odd ones, 16 to 32 each twice, 3 to 31 ten, eleven, ten times."""
    assert nearest_texels(16, 8, False, NVN).tolist() == list(range(1, 16, 2))
    assert nearest_texels(16, 32, False, NVN).tolist() == [k // 2 for k in range(32)]
    assert np.bincount(nearest_texels(3, 31, False, NVN)).tolist() == [10, 11, 10]
    assert nearest_texels(16, 32, True, NVN).tolist() == [15 - k // 2 for k in range(32)]


@pytest.mark.rule("COPY-NEAREST-2")
def test_a_middle_between_two_texels_is_open_at_an_odd_step() -> None:
    """Measured from 16 to 22: row 5 takes texel 3, not 4; mirrored copies took either."""
    assert nearest_texels(16, 22, False, NVN)[[5, 16]].tolist() == [3, 11]
    assert nearest_texels(16, 22, False, NVN.with_(copy_tie=CopyTie.SECOND))[[5, 16]].tolist() == [4, 12]
    watched = watch()
    nearest_texels(16, 8, False, watched)
    assert watched.read == set()


@pytest.mark.rule("COPY-LINEAR-3")
def test_a_filter_mixes_colours_and_nothing_else() -> None:
    """Halving 0 and 255 gives 127, as a draw stores a half; integers and depth keep texels; no flag, no mixing."""
    linear = int(CopyFlags.LINEAR_FILTER)
    for fmt, flags, rules, expected in (
        ("R8", linear, NVN, 127),
        ("R8", 0, NVN, 255),
        ("R8", 0, NVN.with_(copy_filter=CopyFilter.ALWAYS), 127),
        ("R8UI", linear, NVN, 255),
    ):
        image, other = texture(fmt, 2, 1), texture(fmt, 1, 1, offset_B=OTHER_B)
        data = np.array([0, 255], np.uint8)
        assert after(image, other, data, copy(image, other, flags), rules=rules).ravel().tolist() == [expected]


@pytest.mark.rule("COPY-LINEAR-3")
def test_what_cannot_hold_a_mixture_is_not_mixed_unasked() -> None:
    """Where all scaled copies are filtered, one to depth still takes texels; with the flag it is refused."""
    image, other = texture("R32F", 4), texture("DEPTH32F", 2, offset_B=OTHER_B)
    data = np.array([0.25, 0.5, 0.75, 1], "<f4")
    always = NVN.with_(copy_filter=CopyFilter.ALWAYS)
    assert after(image, other, data, copy(image, other), rules=always).view("<f4").ravel().tolist() == [0.5, 1]
    with pytest.raises(ReplayError, match=r"COPY-LINEAR-5: .*NVN_FORMAT_R32F to NVN_FORMAT_DEPTH32F"):
        after(image, other, data, copy(image, other, int(CopyFlags.LINEAR_FILTER)))


@pytest.mark.rule("COPY-LINEAR-1")
def test_a_filter_stays_inside_the_region() -> None:
    """One texel of four, made four times as wide, is that texel everywhere."""
    image, other = texture("R8", 4, 1), texture("R8", 4, 1, offset_B=OTHER_B)
    command = copy(image, other, int(CopyFlags.LINEAR_FILTER), source_region=Region(x=1, width=1))
    data = np.array([0, 50, 255, 255], np.uint8)
    assert after(image, other, data, command).ravel().tolist() == [50] * 4


@pytest.mark.rule("COPY-LINEAR-4")
def test_a_place_is_cut_or_rounded_at_an_odd_step() -> None:
    """16 to 7: the fourth middle is 8 exactly and held as 1919/256 less half a texel; a part would round."""
    assert linear_texels(16, 7, False, NVN)[2][3] == 127
    assert linear_texels(16, 7, False, NVN.with_(copy_place=CopyPlace.ROUNDED))[2][3] == 128
    watched = watch()
    linear_texels(16, 8, False, watched)
    assert watched.read == set()


@pytest.mark.rule("COPY-LINEAR-2")
def test_the_plain_mean_is_the_other_way_to_add_up() -> None:
    """Weights of 1/256 are the same; a half between 0 and 1 is 127 either way."""
    codes = np.array([0, 255], np.uint8).reshape(1, 1, 2, 1)
    columns, rows = linear_texels(2, 1, False, NVN), linear_texels(1, 1, False, NVN)
    for rules in (NVN, NVN.with_(copy_weights=CopyWeights.EXACT)):
        value = linear_values(format_named("R8"), codes, rows, columns, rules)[0, 0, 0, 0]
        assert abs(float(value) - 0.5) < 1 / 65535


@pytest.mark.rule("COPY-NEAREST-1")
def test_mirrors_exchange_rows_columns_and_slices() -> None:
    """MIRROR_Y, MIRROR_X and MIRROR_Z of 2x2x2."""
    data = np.arange(8, dtype=np.uint8)
    cube = data.reshape(2, 2, 2)
    for flag, turned in (
        (CopyFlags.MIRROR_X, cube[:, :, ::-1]),
        (CopyFlags.MIRROR_Y, cube[:, ::-1]),
        (CopyFlags.MIRROR_Z, cube[::-1]),
    ):
        image = texture("R8", 2, 2, target=TextureTarget.TARGET_3D, depth=2)
        other = texture("R8", 2, 2, target=TextureTarget.TARGET_3D, depth=2, offset_B=OTHER_B)
        assert (after(image, other, data, copy(image, other, int(flag))).reshape(2, 2, 2) == turned).all()


@pytest.mark.parametrize(
    ("read", "written", "flags", "message"),
    [
        pytest.param("RGBA8UI", "RGB565", 0, "integers and other numbers do not convert", id="classes"),
        pytest.param("DEPTH32F", "RGBA16F", 0, "texels of 4 and 8 bytes; depth moves", id="depth-to-colour"),
        pytest.param("RGBA_DXT1", "RGBA8", 0, "blocks of 8 and 4 bytes; compressed", id="compressed"),
        pytest.param("RGBA_DXT1", "RGBA_DXT5", 0, "blocks of 8 and 16 bytes; compressed", id="blocks"),
    ],
)
def test_what_is_not_copied_is_refused(read: str, written: str, flags: int, message: str) -> None:
    """The error says what and where."""
    image, other = texture(read, 8, 8), texture(written, 8, 8, offset_B=OTHER_B)
    data = np.zeros(format_named(read).bytes_per_block * (4 if "DXT" in read else 64), np.uint8)
    with pytest.raises(ReplayError, match=message):
        after(image, other, data, copy(image, other, flags))


@pytest.mark.rule("COPY-TEXTURE-6")
@pytest.mark.parametrize(
    ("depth", "colour"), [("DEPTH16", "R16"), ("DEPTH32F", "R32F"), ("R32UI", "DEPTH24_STENCIL8")]
)
def test_depth_moves_into_a_colour_of_its_size(depth: str, colour: str) -> None:
    """Every bit, either way round, and mirrored too."""
    kind = "<u2" if "16" in depth else "<u4"
    codes = (np.arange(4, dtype=np.uint64) * 0x123457 + 0x81).astype(kind)
    image, other = texture(depth, 4), texture(colour, 4, offset_B=OTHER_B)
    for flags, expected in ((0, codes), (int(CopyFlags.MIRROR_X), codes[::-1])):
        assert (after(image, other, codes, copy(image, other, flags)).view(kind).ravel() == expected).all()


@pytest.mark.rule("COPY-TEXTURE-1", "COPY-LINEAR-3")
def test_blocks_are_scaled_and_turned_whole() -> None:
    """Four BC1 blocks to eight, turned round: none is opened, with the filter asked for neither."""
    image, other = texture("RGBA_DXT1", 8, 8), texture("RG32UI", 4, 2, offset_B=OTHER_B)
    blocks = np.arange(32, dtype=np.uint8)
    flags = int(CopyFlags.MIRROR_Y | CopyFlags.LINEAR_FILTER)
    found = after(image, other, blocks, copy(image, other, flags)).reshape(2, 4, 8)
    assert (found == np.repeat(blocks.reshape(2, 2, 8)[::-1], 2, axis=1)).all()


@pytest.mark.rule("COPY-SLICES-1")
@pytest.mark.parametrize(
    ("rules", "flags", "expected"),
    [
        pytest.param(NVN, 0, [1, 3], id="middle"),
        pytest.param(NVN, 16, [3, 1], id="mirrored"),
        pytest.param(NVN.with_(copy_slices=CopySlices.START), 0, [0, 2], id="start"),
    ],
)
def test_other_numbers_of_slices_take_whole_ones(rules: Rules, flags: int, expected: list[int]) -> None:
    """Of four slices two are left, as of four columns two would be."""
    image = texture("R8", 1, 1, target=TextureTarget.TARGET_3D, depth=4)
    other = texture("R8", 1, 1, target=TextureTarget.TARGET_3D, depth=2, offset_B=OTHER_B)
    data = np.arange(4, dtype=np.uint8)
    assert after(image, other, data, copy(image, other, flags), rules=rules).ravel().tolist() == expected


@pytest.mark.rule("COPY-SAMPLES-1")
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param(NVN, [[4, 5, 6, 7], [0, 1, 2, 3]], id="pixels"),
        pytest.param(NVN.with_(copy_samples=CopySamples.TEXELS), [[5, 4, 7, 6], [1, 0, 3, 2]], id="texels"),
    ],
)
def test_samples_turn_with_their_pixels_or_as_texels(rules: Rules, expected: list[list[int]]) -> None:
    """Two pixels of four samples, stored 2x2: turned, the samples keep their numbers or their places turn too."""
    image, other = (
        texture("R8", 2, 1, target=MULTISAMPLE, samples=4),
        texture("R8", 2, 1, target=MULTISAMPLE, samples=4, offset_B=OTHER_B),
    )
    data = np.arange(8, dtype=np.uint8)
    command = copy(image, other, int(CopyFlags.MIRROR_X))
    assert after(image, other, data, command, rules=rules).reshape(2, 4).tolist() == expected


def test_samples_convert_one_by_one() -> None:
    """RGBA8 to RG8 keeps red and green of each sample; a filter over samples is refused by name."""
    image, other = (
        texture("RGBA8", 2, 1, target=MULTISAMPLE, samples=2),
        texture("RG8", 2, 1, target=MULTISAMPLE, samples=2, offset_B=OTHER_B),
    )
    data = np.arange(16, dtype=np.uint8)
    found = after(image, other, data, copy(image, other)).ravel().tolist()
    assert found == [0, 1, 4, 5, 8, 9, 12, 13]
    large = texture("RGBA8", 4, 1, target=MULTISAMPLE, samples=2, offset_B=OTHER_B)
    with pytest.raises(ReplayError, match=r"COPY-SAMPLES-2: .*a filtered copy of 2 samples"):
        after(image, large, data, copy(image, large, int(CopyFlags.LINEAR_FILTER)))


@pytest.mark.rule("COPY-BUFFER-1")
def test_mirror_flags_turn_the_region_of_a_buffer_copy() -> None:
    """A 2x2 texture from bytes 0 to 3 and back: rows exchanged twice; or the flags say nothing."""
    image = texture("R8", 2, 2)
    flags = int(CopyFlags.MIRROR_Y | CopyFlags.ENGINE_2D)
    commands = [
        c.CopyBufferToTexture(source=BUFFER, texture=ref(), region=whole(image), flags=flags),
        c.CopyTextureToBuffer(texture=ref(), region=whole(image), destination=BUFFER + 4, flags=flags),
    ]
    events = [
        r.WriteMemory(pool=0, offset_B=BUFFER_B, blob="data"),
        commands,
        r.ReadMemory(name="back", pool=0, offset_B=BUFFER_B + 4, size_B=4),
    ]
    for rules, rows in ((NVN, [2, 3, 0, 1]), (NVN.with_(buffer_mirror=BufferMirror.IGNORED), [0, 1, 2, 3])):
        results = run([image], events, {"data": bytes(range(4))}, rules)
        assert texels(results, image).ravel().tolist() == rows
        assert results["back"].tolist() == [0, 1, 2, 3]


@pytest.mark.rule("REPLAY-RESOLVE-2")
def test_a_downsample_of_one_sample_scales_with_a_filter() -> None:
    """The ledger's 8x8 of blocks {0, 0, 255, 255} becomes 127 everywhere, a half as draws store it."""
    image, other = texture("RGBA8", 8, 8), texture("RGBA8", 4, 4, offset_B=OTHER_B)
    data = np.zeros((8, 8, 4), np.uint8)
    data[1::2] = 255
    command = c.Downsample(source=ref(0), destination=ref(1))
    assert (after(image, other, data, command) == 127).all()
    same, half = texture("RGBA8", 8, 8, offset_B=OTHER_B), texture("RG16F", 8, 4, offset_B=OTHER_B)
    assert (after(image, same, data, command)[0] == data).all()
    assert after(image, half, data, command).view("<f2").ravel().tolist() == [0.5] * 64


@pytest.mark.rule("REPLAY-RESOLVE-2")
def test_a_downsample_at_an_odd_step_takes_the_texels_about_the_middle() -> None:
    """A ramp of 176 texels to 48: linear filtering of a ramp is the ramp at each middle, within 1/256 of a step."""
    image, other = texture("R32F", 176, 1), texture("R32F", 48, 1, offset_B=OTHER_B)
    ramp = np.arange(176, dtype="<f4")
    command = c.Downsample(source=ref(0), destination=ref(1))
    found = after(image, other, ramp, command).view("<f4").ravel()
    middles = (np.arange(48) + 0.5) * 176 / 48 - 0.5
    assert np.abs(found - middles).max() <= 1 / 256


@pytest.mark.rule("COPY-INLINE-1")
def test_an_inline_update_writes_its_blob_in_order() -> None:
    """Two updates of one place: a copy between them keeps the first."""
    commands = [
        c.UpdateUniformBuffer(address=BUFFER, size_B=16, offset_B=4, blob="one"),
        c.CopyBufferToBuffer(source=BUFFER, destination=BUFFER + 16, size_B=16),
        c.UpdateUniformBuffer(address=BUFFER, size_B=16, offset_B=8, blob="two"),
    ]
    read = r.ReadMemory(name="memory", pool=0, offset_B=BUFFER_B, size_B=32)
    found = run([], [commands, read], {"one": b"\x01" * 8, "two": b"\x02" * 4})["memory"].view("<u4")
    assert found.tolist() == [0, 0x01010101, 0x02020202, 0, 0, 0x01010101, 0x01010101, 0]


@pytest.mark.parametrize("samples", [2, 4, 8])
@given(st.integers(1, 5), st.integers(1, 4), st.integers(1, 3), st.integers(0, 1 << 30))
def test_samples_come_back_from_their_cells(samples: int, width: int, height: int, layers: int, seed: int) -> None:
    """Pixels stored as texels and taken again are what they were, whatever they hold."""
    pixels = np.random.default_rng(seed).integers(0, 256, (layers, height, width, 4 * samples), np.uint8)
    texels_ = texels_of_pixels(pixels, samples)
    assert texels_.size == pixels.size
    assert (pixels_of_texels(texels_, samples) == pixels).all()


@given(st.integers(1, 40), st.integers(1, 40))
def test_a_mirrored_axis_is_the_other_one_turned_round(source: int, destination: int) -> None:
    """Where no middle falls between two texels both directions take the same ones."""
    plain = nearest_texels(source, destination, False, NVN)
    mirrored = nearest_texels(source, destination, True, NVN)
    middles = (2 * np.arange(destination) + 1) * source
    inside = middles % (2 * destination) != 0
    assert (mirrored[inside] == source - 1 - plain[inside]).all()


@given(st.integers(1, 64), st.integers(1, 64))
def test_every_slice_that_is_taken_exists(source: int, destination: int) -> None:
    """Both ways of taking slices stay inside, in order."""
    for rules in (NVN, NVN.with_(copy_slices=CopySlices.START)):
        places = slice_texels(source, destination, rules)
        assert places.min() >= 0
        assert places.max() < source
        assert (np.diff(places) >= 0).all()
