"""What kind of file is this, by its first bytes?

It does not say that the rest is sound: the reader of that kind does.
"""

from __future__ import annotations

from typing import Literal

from refnvn.containers import dds_header, ktx2_header, png_chunks

FileKind = Literal["png", "dds", "ktx2", "npy", "pfm", "raw"]

_MAGICS: tuple[tuple[bytes, FileKind], ...] = (
    (png_chunks.SIGNATURE, "png"),
    (dds_header.MAGIC, "dds"),
    (ktx2_header.IDENTIFIER, "ktx2"),
    (b"\x93NUMPY", "npy"),
    (b"PF\n", "pfm"),
    (b"Pf\n", "pfm"),
    (b"PF\r", "pfm"),
    (b"Pf\r", "pfm"),
    (b"PF ", "pfm"),
    (b"Pf ", "pfm"),
)


def kind_of(data: bytes) -> FileKind:
    r"""Return the kind of a file by its magic; ``raw`` where there is none that refnvn knows.

    Examples
    --------
    >>> kind_of(b"\x93NUMPY\x01\x00"), kind_of(b"PFM is not a PFM"), kind_of(b"")
    ('npy', 'raw', 'raw')
    """
    return next((kind for magic, kind in _MAGICS if data.startswith(magic)), "raw")
