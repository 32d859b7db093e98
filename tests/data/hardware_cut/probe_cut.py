"""Triangles cut at the near and far plane, one by one: gl_FragCoord.z and .w of every pixel, zeros where none.

Runs beside the hardware probes' ``glctx`` and ``pr_plane``: python probe_cut.py OUT.npz SEED
"""

import sys

import numpy as np
import pr_plane
from glctx import E, gl, make_context

SIZE = 24


def triangles(random, count, ws, depths):
    """Return triangles whose window positions are within ten pixels of the viewport."""
    found = []
    while len(found) < count:
        at = random.uniform(-10, 34, (3, 2))
        one, other = at[1] - at[0], at[2] - at[0]
        if abs(one[0] * other[1] - other[0] * one[1]) < 150:
            continue
        w = ws(random)
        clip = np.zeros((3, 4))
        clip[:, :2] = (at * 2 / SIZE - 1) * w[:, None]
        clip[:, 3] = w
        clip[:, 2] = depths(random) * np.abs(w)
        found.append(clip)
    return np.array(found, np.float32)


def mixed(*ranges):
    """Return a function that draws a number from each range, in any order."""
    return lambda random: random.permutation([random.uniform(*one) for one in ranges])


ONE = mixed((1, 1), (1, 1), (1, 1))
SOME = mixed((0.5, 4), (0.5, 4), (0.5, 4))
BEHIND = mixed((-2, -0.2), (0.5, 4), (0.5, 4))
NEAR, FAR, IN = (-3, -1), (1, 3), (-1, 1)
SETS = {
    "near_w1": (ONE, mixed(NEAR, IN, IN)),
    "near_w": (SOME, mixed(NEAR, IN, IN)),
    "far_w1": (ONE, mixed(FAR, IN, IN)),
    "far_w": (SOME, mixed(FAR, IN, IN)),
    "both_w1": (ONE, mixed(FAR, IN, NEAR)),
    "both_w": (SOME, mixed(FAR, IN, NEAR)),
    "band_w1": (ONE, mixed(FAR, NEAR, NEAR)),
    "band2_w1": (ONE, mixed(FAR, FAR, NEAR)),
    "behind": (BEHIND, lambda random: random.uniform(-1, 1, 3)),
}


def main(path, seed):
    """Draw all sets and keep them."""
    make_context()
    gl.ActiveTexture(E.TEXTURE0 + 10)
    random = np.random.RandomState(seed)
    found = {}
    for name, (ws, depths) in SETS.items():
        clip = triangles(random, 400 if name.startswith("near") else 200, ws, depths)
        drawn = pr_plane.run(clip, np.zeros_like(clip), np.zeros_like(clip), W=SIZE, H=SIZE)
        found[f"in_{name}"], found[f"out_{name}"] = clip, drawn[2][..., :2]
    np.savez_compressed(path, **found)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
