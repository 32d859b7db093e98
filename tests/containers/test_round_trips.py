"""Whatever is written as DDS or KTX2 reads back as it was."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from refnvn.containers.dds import dds_bytes, read_dds
from refnvn.containers.equivalents import DXGI_WRITTEN_ONLY, Equivalent, equivalents
from refnvn.containers.ktx2 import ktx2_bytes, read_ktx2
from refnvn.containers.surface import Kind, Shape, Surfaces


@st.composite
def surfaces_of(draw: st.DrawFn, row: Equivalent) -> Surfaces:
    """Draw a small texture of any kind with random texels."""
    compressed = (row.block.block_width_px, row.block.block_height_px) != (1, 1)
    kind = draw(st.sampled_from([kind for kind in Kind if not (compressed and kind is Kind.ONE_D)]))
    is_array = kind is not Kind.THREE_D and draw(st.booleans())
    width_px = draw(st.integers(1, 20))
    height_px = {Kind.ONE_D: 1, Kind.CUBE: width_px}.get(kind) or draw(st.integers(1, 20))
    depth = draw(st.integers(1, 5)) if kind is Kind.THREE_D else 1
    layers = (6 if kind is Kind.CUBE else 1) * (draw(st.integers(1, 3)) if is_array else 1)
    levels = draw(st.integers(1, max(width_px, height_px, depth).bit_length()))
    shape = Shape(
        format=row.nvn, block=row.block, kind=kind, is_array=is_array, width_px=width_px, height_px=height_px,
        depth=depth, layers=layers, levels=levels,
    )  # fmt: skip
    source = random.Random(draw(st.integers(0, 1 << 32)))
    parts = tuple(tuple(source.randbytes(shape.part_size_B(i)) for i in range(levels)) for _ in range(layers))
    return Surfaces.of(shape, parts)


ROWS = list(equivalents().values())
IN_DDS = [row for row in ROWS if row.dxgi_code is not None and row.nvn not in DXGI_WRITTEN_ONLY]
IN_KTX2 = [row for row in ROWS if row.vulkan_code is not None]


def without_single_arrays(surfaces: Surfaces) -> Surfaces:
    """Return what DDS can say: an array of one is no array."""
    single = 6 if surfaces.kind is Kind.CUBE else 1
    fields = {name: getattr(surfaces, name) for name in Surfaces.__dataclass_fields__}
    return Surfaces(**{**fields, "is_array": surfaces.layers > single})


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(IN_DDS).flatmap(surfaces_of))
def test_dds_reads_what_it_wrote(surfaces: Surfaces) -> None:
    """Every kind, size, level and layer survives a DDS, but an array of one becomes no array."""
    assert read_dds(dds_bytes(surfaces)) == without_single_arrays(surfaces)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(IN_KTX2).flatmap(surfaces_of))
def test_ktx2_reads_what_it_wrote(surfaces: Surfaces) -> None:
    """Every kind, size, level and layer survives a KTX2."""
    assert read_ktx2(ktx2_bytes(surfaces)) == surfaces


def test_every_format_survives_its_containers() -> None:
    """Each format of the table reads back under its own name from the containers that hold it."""
    for row in ROWS:
        shape = Shape(format=row.nvn, block=row.block, width_px=3, height_px=2)
        surfaces = Surfaces.of(shape, ((bytes(range(shape.total_B)),),))
        if row in IN_DDS:
            assert read_dds(dds_bytes(surfaces)) == surfaces
        elif row.dxgi_code is not None:
            assert read_dds(dds_bytes(surfaces)).format == row.nvn.replace("RGB_", "RGBA_")
        if row in IN_KTX2:
            assert read_ktx2(ktx2_bytes(surfaces)) == surfaces
