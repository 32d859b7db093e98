"""What is kept of a format gives the words that its rule gives."""

import numpy as np
import pytest

from refnvn.formats.table import Format, Use, formats
from refnvn.replay.attributes import ElementWords
from refnvn.replay.vertex import attribute_words
from refnvn.rules.fields import NVN, AttributeNorm, watch
from refnvn.rules.registry import collect

VERTEX_FORMATS = [fmt for fmt in formats().values() if fmt.has(Use.VERTEX)]
ODD_WORDS = np.array([0, 1, 0x7F800001, 0xFFC00000, 0x80000000, 0x3F800000, 0xFFFFFFFF, 0x00000001], "<u4")


@pytest.mark.rule("VERTEX-FETCH-1")
@pytest.mark.parametrize("fmt", VERTEX_FORMATS, ids=lambda fmt: fmt.name)
@pytest.mark.parametrize("components", [1, 3, 4])
@pytest.mark.parametrize(
    "rules", [NVN, NVN.with_(attribute_norm=AttributeNorm.MULTIPLIED)], ids=["nvn", "multiplied"]
)
def test_words_and_what_is_asked_are_those_of_the_rule(fmt: Format, components: int, rules: object) -> None:
    """Words, names of rules and fields are the same, of all bytes there are and of odd numbers, in strides too."""
    rng = np.random.default_rng(fmt.value)
    data = rng.integers(0, 256, (600, 24), np.uint8)
    data[:256] = np.arange(256, dtype=np.uint8)[:, np.newaxis]
    data[256:264, :16] = np.repeat(ODD_WORDS, 4).view(np.uint8).reshape(8, 16)
    part = data[:, 3 : 3 + fmt.bytes_per_block]
    watched, kept_watched = watch(rules), watch(rules)  # type: ignore[arg-type]
    with collect() as used:
        expected = attribute_words(fmt, part, watched)[:components]
    kept = ElementWords(fmt, kept_watched, attribute_words)
    found = np.zeros((components, 600), np.uint32)
    with collect() as kept_used:
        kept.into(found, part)
    assert (found == expected).all()
    assert (kept_used, kept_watched.read) == (used, watched.read)
