"""The document on shaders in Python says what is so."""

import linecache
import re
from pathlib import Path
from typing import Any

import pytest

from refnvn.shader import language, language_memory
from refnvn.shader.ir import Shader
from refnvn.shader.subset_functions import FUNCTIONS
from refnvn.shader.validate import MAX_EXECUTED, MAX_LOOP_NESTING, MAX_NESTING, MAX_REGISTERS, MAX_STATEMENTS

DOCUMENT = (Path(__file__).parents[2] / "docs" / "shader-subset.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_examples_are_shaders(number: int) -> None:
    """Each example compiles to the shaders that it defines."""
    text, name = EXAMPLES[number], f"example_{number}.py"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    made: dict[str, Any] = {"__name__": name}
    exec(compile(text, name, "exec"), made)
    shaders = [one for one in made.values() if isinstance(one, Shader)]
    assert len(shaders) == len(re.findall(r"^@\w+_shader\b.*\ndef ", text, re.MULTILINE))


def test_every_function_is_named() -> None:
    """The document names each function of the language, and the language has a word for each."""
    words = set(re.findall(r"\w+", DOCUMENT))
    assert set(FUNCTIONS) <= words
    assert set(language.__all__) - {"ivec2", "ivec3", "ivec4", "uvec3", "bvec2", "bvec3", "bvec4"} <= words | {
        "vec2", "uvec2", "smooth", "mat2", "mat3"}  # fmt: skip
    builtin = {"abs", "min", "max", "pow"}
    assert set(FUNCTIONS) - builtin <= set(language.__all__)


def test_every_word_of_memory_is_named() -> None:
    """Types of integers are described by their prefix."""
    words = set(re.findall(r"\w+", DOCUMENT))
    plain = {one for one in language_memory.__all__ if not one.startswith(("iimage", "uimage"))}
    assert plain <= words


def test_limits_are_as_stated() -> None:
    """The numbers of the last section."""
    assert f"{MAX_STATEMENTS} statements, {MAX_REGISTERS} registers, {MAX_NESTING} nested blocks" in DOCUMENT
    assert f"nested {MAX_LOOP_NESTING} deep" in DOCUMENT
    assert MAX_EXECUTED // 1_000_000 == 4
