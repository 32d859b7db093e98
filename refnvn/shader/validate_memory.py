"""What is wrong with the storage buffers, images and workgroup of a shader, and with statements that reach memory?

Read next: ``validate.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING

from refnvn.shader.image_formats import ATOMIC_FORMATS, component_type, image_format
from refnvn.shader.ir_base import ComponentType, Stage
from refnvn.shader.ir_memory import (
    ATOMICS,
    IMAGE_COORDINATES,
    MULTISAMPLED,
    AtomicImage,
    AtomicMemory,
    AtomicOperation,
    Barrier,
    ImageSize,
    ImageSlot,
    LoadImage,
    LoadMemory,
    MemoryStatement,
    StoreImage,
    StoreMemory,
)

if TYPE_CHECKING:
    from refnvn.shader.ir import Shader

MOST_INVOCATIONS = 1536
MOST_LOCAL_SIZE = (1536, 1024, 64)
"""Of a workgroup, along x, y and z and together: what NVN's device info gives."""


def interface_faults(shader: Shader) -> Iterator[tuple[str, str]]:
    """Yield place and fault of what is declared."""
    for what, declared in (("storage", shader.storage), ("images", shader.images)):
        bindings = [one.binding for one in declared]
        for binding in sorted({one for one in bindings if bindings.count(one) > 1}):
            yield f"{what}: binding", f"{binding} stands twice"
    for slot in shader.images:
        fault = _image_fault(slot)
        if fault:
            yield f"images: binding {slot.binding}", fault
    if shader.stage is not Stage.COMPUTE:
        if shader.local_size != (1, 1, 1) or shader.shared_B:
            yield "local_size", f"a {shader.stage} shader has no workgroup and no shared memory"
    elif prod(shader.local_size) > MOST_INVOCATIONS or any(
        size > most for size, most in zip(shader.local_size, MOST_LOCAL_SIZE, strict=True)
    ):
        most = " x ".join(map(str, MOST_LOCAL_SIZE))
        yield "local_size", f"{shader.local_size}, allowed are {most} and {MOST_INVOCATIONS} together"
    elif shader.inputs or shader.outputs:
        yield "inputs", "a compute shader has neither inputs nor outputs"
    if shader.early_fragment_tests and shader.stage is not Stage.FRAGMENT:
        yield "early_fragment_tests", f"a {shader.stage} shader has no tests"


def _image_fault(slot: ImageSlot) -> str | None:
    if not slot.format:
        return None
    fmt = image_format(slot.format)
    if fmt is None:
        return f"{slot.format!r} is no format of images"
    if component_type(fmt) is not slot.type:
        return f"the components of {slot.format} are {component_type(fmt)}, not {slot.type}"
    return None


def memory_faults(shader: Shader, statement: MemoryStatement) -> Iterator[str]:
    """Yield what is wrong with a statement that reaches memory."""
    match statement:
        case LoadMemory(binding=None) | StoreMemory(binding=None) | AtomicMemory(binding=None):
            yield from _shared_faults(shader, statement.offset_B)
        case LoadImage() | StoreImage() | AtomicImage() | ImageSize():
            yield from _slot_faults(shader, statement)
        case Barrier():
            if shader.stage not in (Stage.COMPUTE, Stage.TESS_CONTROL):
                yield f"a {shader.stage} shader has no barrier"
        case _:
            binding = getattr(statement, "binding", None)
            if binding is not None and binding not in {one.binding for one in shader.storage}:
                yield f"no storage buffer has binding {binding}"
    if isinstance(statement, ATOMICS):
        compares = statement.operation is AtomicOperation.COMPARE_EXCHANGE
        if compares is not (statement.compare is not None):
            yield "compare_exchange takes a word to compare with, other operations take none"


def _shared_faults(shader: Shader, offset_B: int) -> Iterator[str]:
    if shader.stage is not Stage.COMPUTE:
        yield f"a {shader.stage} shader has no shared memory"
    elif offset_B >= shader.shared_B:
        yield f"offset {offset_B} of shared memory, which has {shader.shared_B} bytes"


def _slot_faults(shader: Shader, statement: LoadImage | StoreImage | AtomicImage | ImageSize) -> Iterator[str]:
    slot = next((one for one in shader.images if one.binding == statement.binding), None)
    if slot is None:
        yield f"no image has binding {statement.binding}"
        return
    if isinstance(statement, ImageSize):
        return
    wanted = IMAGE_COORDINATES[slot.dimension]
    if len(statement.at) != wanted:
        yield f"a {slot.dimension} image takes {wanted} coordinates, not {len(statement.at)}"
    if (statement.sample is not None) is not (slot.dimension in MULTISAMPLED):
        yield "images with several samples take a sample, others take none"
    if isinstance(statement, LoadImage) and not slot.format:
        yield f"image {slot.binding} declares no format, so it can only be stored to"
    if isinstance(statement, AtomicImage):
        if slot.format not in ATOMIC_FORMATS:
            yield f"atomic access needs one of the formats {', '.join(ATOMIC_FORMATS)}, not {slot.format or 'none'}"
        elif slot.type is ComponentType.FLOAT and statement.operation is not AtomicOperation.EXCHANGE:
            yield "an image of floats can only be exchanged"
