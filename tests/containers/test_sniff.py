"""The first bytes of a file say what kind it is."""

from __future__ import annotations

import numpy as np
import pytest

from refnvn.containers.dds import dds_bytes
from refnvn.containers.ktx2 import ktx2_bytes
from refnvn.containers.npy import npy_bytes
from refnvn.containers.pfm import pfm_bytes
from refnvn.containers.png import png_bytes
from refnvn.containers.sniff import kind_of
from refnvn.containers.surface import BlockSize, Surfaces

SURFACES = Surfaces(format="R8", block=BlockSize(1), width_px=1, parts=((b"a",),))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        pytest.param(dds_bytes(SURFACES), "dds", id="dds"),
        pytest.param(ktx2_bytes(SURFACES), "ktx2", id="ktx2"),
        pytest.param(npy_bytes(np.zeros(1, np.uint8)), "npy", id="npy"),
        pytest.param(pfm_bytes(np.zeros((1, 1), np.float32)), "pfm", id="grey pfm"),
        pytest.param(pfm_bytes(np.zeros((1, 1, 3), np.float32)), "pfm", id="colour pfm"),
        pytest.param(png_bytes(np.zeros((1, 1), np.uint8)), "png", id="png"),
        pytest.param(b"", "raw", id="nothing"),
        pytest.param(b"DDS", "raw", id="half a magic"),
        pytest.param(b"PFx", "raw", id="letters of a PFM"),
        pytest.param(b"\xabKTX 11\xbb\r\n\x1a\n", "raw", id="KTX of the first version"),
    ],
)
def test_kind_of_a_file_is_its_magic(data: bytes, kind: str) -> None:
    """Each kind that refnvn reads is known by its magic, and everything else is raw."""
    assert kind_of(data) == kind
