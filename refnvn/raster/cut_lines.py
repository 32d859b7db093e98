"""What do clip distances leave of a line? A shorter one, with an end of its own. Read next: ``segments.py``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from refnvn.formats.floatbits import Float32, UInt32, from_bits
from refnvn.raster.assembled import Assembled
from refnvn.raster.clip_distances import outside_of
from refnvn.raster.cut import Cut, CutPoint, ring_between_planes, ring_of, user_planes


def cut_lines(
    lines: Assembled, positions: Float32, varyings: UInt32, distances: Float32
) -> tuple[Cut, NDArray[np.intp]]:
    """Return lines that end where a clip distance is 0, and which of the whole lines they are.

    Flat inputs stay those of the vertex that provokes.

    Parameters
    ----------
    lines : Assembled
        None of them is dropped.
    positions : float32, shape (n, 4)
        Clip space.
    varyings : uint32, shape (components, n)
    distances : float32, shape (n, planes)
    """
    vertices = lines.vertices.copy()
    kept = np.ones(len(lines), dtype=np.bool_)
    made: list[CutPoint] = []
    for place in np.nonzero(outside_of(distances[vertices]).any(axis=(1, 2)))[0].tolist():
        pair = vertices[place].copy()
        values = from_bits(varyings[:, pair]).astype(np.float64).T
        whole = ring_of(positions[pair], values, distances[pair])
        ring = ring_between_planes(whole, user_planes(distances[pair]))[:2]
        kept[place] = len(ring) == 2
        for end, one in enumerate(ring if kept[place] else ()):
            if one.is_new:
                vertices[place, end] = len(positions) + len(made)
                made.append(one)
    if made:
        positions = np.concatenate([positions, np.stack([one.clip for one in made]).astype(np.float32)])
        mixed = np.stack([one.values for one in made], axis=1).astype(np.float32)
        varyings = np.concatenate([varyings, mixed.view(np.uint32)], axis=1)
    left = np.nonzero(kept)[0]
    return Cut(replace(lines, vertices=vertices).chosen(left), positions, varyings), left
