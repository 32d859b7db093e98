"""How does somebody write a shader in Python?

As a function in a small subset of Python, with one of three decorators; what comes out is a
:class:`~refnvn.shader.ir.Shader`, which holds no Python. ::

    from refnvn.shader.python import attribute, fragment_shader, varying, vec4, vertex_shader

    @vertex_shader
    def pass_through(position: vec4 = attribute(0), color: vec4 = attribute(1)):
        return position, color

    @fragment_shader
    def tinted(color: vec4 = varying(0)):
        return color * vec4(1.0, 0.5, 0.25, 1.0)

The language is described in ``docs/shader-subset.md``; this module gives all its words. The function is read when it
is decorated, and never run.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar, overload

import msgspec

from refnvn.shader import language, language_memory, language_stages, language_textures
from refnvn.shader.ir import Shader
from refnvn.shader.ir_base import Stage
from refnvn.shader.ir_memory import LocalSize
from refnvn.shader.ir_stages import (
    Domain,
    EmittedVertices,
    Geometry,
    InputPrimitive,
    Invocations,
    OutputPrimitive,
    PatchVertices,
    Spacing,
    TessControl,
    TessEvaluation,
)
from refnvn.shader.language import *  # noqa: F403
from refnvn.shader.language_memory import *  # noqa: F403
from refnvn.shader.language_stages import *  # noqa: F403
from refnvn.shader.language_textures import *  # noqa: F403
from refnvn.shader.subset import ShaderSourceError
from refnvn.shader.subset_entry import compile_function

__all__ = [
    "ShaderSourceError", "compute_shader", "fragment_shader", "geometry_shader",
    "tessellation_control_shader", "tessellation_evaluation_shader", "vertex_shader",
]  # fmt: skip
__all__ += language.__all__
__all__ += language_textures.__all__
__all__ += language_memory.__all__
__all__ += language_stages.__all__


def vertex_shader(function: Callable[..., Any]) -> Shader:
    """Return the vertex shader that a function in the subset says.

    Raises
    ------
    ShaderSourceError
        Naming file, line, the line's text and what is not in the subset.
    """
    return compile_function(function, Stage.VERTEX)


@overload
def fragment_shader(function: Callable[..., Any]) -> Shader: ...


@overload
def fragment_shader(*, early_fragment_tests: bool = ...) -> Callable[[Callable[..., Any]], Shader]: ...


def fragment_shader(
    function: Callable[..., Any] | None = None, *, early_fragment_tests: bool = False
) -> Shader | Callable[[Callable[..., Any]], Shader]:
    """Return the fragment shader that a function in the subset says.

    Parameters
    ----------
    function : function
        Absent where there are options: ``@fragment_shader(early_fragment_tests=True)``.
    early_fragment_tests : bool
        Whether stencil and depth are tested before it runs, so that what fails stores nothing.

    Raises
    ------
    ShaderSourceError
        Naming file, line, the line's text and what is not in the subset.
    """
    early = _option(early_fragment_tests, bool, "early_fragment_tests")

    def compiled(function: Callable[..., Any]) -> Shader:
        return compile_function(function, Stage.FRAGMENT, early_fragment_tests=early)

    return compiled if function is None else compiled(function)


@overload
def compute_shader(function: Callable[..., Any]) -> Shader: ...


@overload
def compute_shader(*, local_size: tuple[int, int, int] = ...) -> Callable[[Callable[..., Any]], Shader]: ...


def compute_shader(
    function: Callable[..., Any] | None = None, *, local_size: tuple[int, int, int] = (1, 1, 1)
) -> Shader | Callable[[Callable[..., Any]], Shader]:
    """Return the compute shader that a function in the subset says.

    Parameters
    ----------
    function : function
        Absent where there are options: ``@compute_shader(local_size=(8, 8, 1))``.
    local_size : tuple of int
        Invocations of a workgroup along x, y and z.

    Raises
    ------
    ShaderSourceError
        Naming file, line, the line's text and what is not in the subset.
    """
    size = _option(local_size, tuple[LocalSize, LocalSize, LocalSize], "local_size")

    def compiled(function: Callable[..., Any]) -> Shader:
        return compile_function(function, Stage.COMPUTE, local_size=size)

    return compiled if function is None else compiled(function)


Decorator = Callable[[Callable[..., Any]], Shader]


def geometry_shader(*, takes: str, makes: str, max_vertices: int, invocations: int = 1) -> Decorator:
    """Return what makes the geometry shader that a function in the subset says.

    Parameters
    ----------
    takes : str
        ``points``, ``lines``, ``lines_adjacency``, ``triangles`` or ``triangles_adjacency``.
    makes : str
        ``points``, ``line_strip`` or ``triangle_strip``.
    max_vertices, invocations : int
        How many vertices it emits at most, and how often it runs for each primitive.

    Raises
    ------
    ShaderSourceError
        Naming file, line, the line's text and what is not in the subset.
    """
    layout = Geometry(
        input=_word(InputPrimitive, "takes", takes),
        output=_word(OutputPrimitive, "makes", makes),
        max_vertices=_option(max_vertices, EmittedVertices, "max_vertices"),
        invocations=_option(invocations, Invocations, "invocations"),
    )
    return lambda function: compile_function(function, Stage.GEOMETRY, layout=layout)


def tessellation_control_shader(*, vertices: int) -> Decorator:
    """Return what makes the tessellation control shader that a function in the subset says.

    Parameters
    ----------
    vertices : int
        Of the patches that it gives; it runs once for each.
    """
    layout = TessControl(vertices=_option(vertices, PatchVertices, "vertices"))
    return lambda function: compile_function(function, Stage.TESS_CONTROL, layout=layout)


def tessellation_evaluation_shader(
    *, domain: str, spacing: str = "equal_spacing", clockwise: bool = False, point_mode: bool = False
) -> Decorator:
    """Return what makes the tessellation evaluation shader that a function in the subset says.

    Parameters
    ----------
    domain : str
        ``triangles``, ``quads`` or ``isolines``.
    spacing : str
        ``equal_spacing``, ``fractional_even_spacing`` or ``fractional_odd_spacing``.
    clockwise, point_mode : bool
        The winding of the triangles that are made; whether points are made of the vertices instead.
    """
    layout = TessEvaluation(
        domain=_word(Domain, "domain", domain),
        spacing=_word(Spacing, "spacing", spacing),
        clockwise=_option(clockwise, bool, "clockwise"),
        point_mode=_option(point_mode, bool, "point_mode"),
    )
    return lambda function: compile_function(function, Stage.TESS_EVALUATION, layout=layout)


Words = TypeVar("Words", bound=StrEnum)


def _word(words: type[Words], what: str, word: str) -> Words:
    """Return one of the words of an enumeration."""
    try:
        return words(word)
    except ValueError as error:
        raise ShaderSourceError(f"{what} {word!r}; allowed are {', '.join(words)}") from error


def _option(value: Any, allowed: Any, what: str) -> Any:
    """Return an option of a decorator that is of the type, and in the range, of its field in a shader."""
    try:
        return msgspec.convert(value, allowed)
    except msgspec.ValidationError as error:
        raise ShaderSourceError(f"{what} is {value!r}: {error}") from None
