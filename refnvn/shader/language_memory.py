"""The words of the shader language that reach memory: storage buffers, shared memory, images, atomics, barriers.

Like the others they mean something inside a shader only. What each does: ``docs/shader-subset.md``,
``subset_memory.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from refnvn.shader.language_words import Place, Word, slot_of

__all__ = [
    "Shared",
    "Storage",
    "array_length",
    "atomic_add",
    "atomic_and",
    "atomic_compare_exchange",
    "atomic_exchange",
    "atomic_max",
    "atomic_min",
    "atomic_or",
    "atomic_xor",
    "barrier",
    "iimage1D",
    "iimage1DArray",
    "iimage2D",
    "iimage2DArray",
    "iimage2DMS",
    "iimage2DMSArray",
    "iimage2DRect",
    "iimage3D",
    "iimageBuffer",
    "iimageCube",
    "iimageCubeArray",
    "image",
    "image1D",
    "image1DArray",
    "image2D",
    "image2DArray",
    "image2DMS",
    "image2DMSArray",
    "image2DRect",
    "image3D",
    "imageBuffer",
    "imageCube",
    "imageCubeArray",
    "image_atomic_add",
    "image_atomic_and",
    "image_atomic_compare_exchange",
    "image_atomic_exchange",
    "image_atomic_max",
    "image_atomic_min",
    "image_atomic_or",
    "image_atomic_xor",
    "image_load",
    "image_size",
    "image_store",
    "memory_barrier",
    "uimage1D",
    "uimage1DArray",
    "uimage2D",
    "uimage2DArray",
    "uimage2DMS",
    "uimage2DMSArray",
    "uimage2DRect",
    "uimage3D",
    "uimageBuffer",
    "uimageCube",
    "uimageCubeArray",
]


class Storage:
    """Base of storage buffers: ``class Counts(Storage, binding=0)`` with annotated fields, laid out as std430 does.

    The last field may be an array without a length, ``Array[uint]``.

    Attributes
    ----------
    binding : int
        The storage buffer slot of the stage, 0 to 15.
    """

    binding: ClassVar[int]

    def __init_subclass__(cls, *, binding: int | None = None, **named: Any) -> None:
        super().__init_subclass__(**named)
        cls.binding = slot_of(cls, "Storage", binding)


class Shared:
    """Base of what the invocations of a workgroup share: ``class Tile(Shared)`` with annotated fields."""


if TYPE_CHECKING:  # type checkers see classes of which anything may be asked

    class image1D(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class image2D(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class image3D(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class imageCube(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class image1DArray(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class image2DArray(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class imageCubeArray(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class image2DRect(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class image2DMS(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class image2DMSArray(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    class imageBuffer(Any): ...  # type: ignore[misc]  # noqa: D101, N801

    iimage1D: TypeAlias = image1D
    uimage1D: TypeAlias = image1D
    iimage2D: TypeAlias = image2D
    uimage2D: TypeAlias = image2D
    iimage3D: TypeAlias = image3D
    uimage3D: TypeAlias = image3D
    iimageCube: TypeAlias = imageCube
    uimageCube: TypeAlias = imageCube
    iimage1DArray: TypeAlias = image1DArray
    uimage1DArray: TypeAlias = image1DArray
    iimage2DArray: TypeAlias = image2DArray
    uimage2DArray: TypeAlias = image2DArray
    iimageCubeArray: TypeAlias = imageCubeArray
    uimageCubeArray: TypeAlias = imageCubeArray
    iimage2DRect: TypeAlias = image2DRect
    uimage2DRect: TypeAlias = image2DRect
    iimage2DMS: TypeAlias = image2DMS
    uimage2DMS: TypeAlias = image2DMS
    iimage2DMSArray: TypeAlias = image2DMSArray
    uimage2DMSArray: TypeAlias = image2DMSArray
    iimageBuffer: TypeAlias = imageBuffer
    uimageBuffer: TypeAlias = imageBuffer

else:
    for _name in __all__:
        if "image" in _name and _name.partition("image")[2][:1] not in ("", "_"):
            globals()[_name] = Word(_name)

image: Any = Place("image")

image_load: Any = Word("image_load")
image_store: Any = Word("image_store")
image_size: Any = Word("image_size")
image_atomic_add: Any = Word("image_atomic_add")
image_atomic_min: Any = Word("image_atomic_min")
image_atomic_max: Any = Word("image_atomic_max")
image_atomic_and: Any = Word("image_atomic_and")
image_atomic_or: Any = Word("image_atomic_or")
image_atomic_xor: Any = Word("image_atomic_xor")
image_atomic_exchange: Any = Word("image_atomic_exchange")
image_atomic_compare_exchange: Any = Word("image_atomic_compare_exchange")
atomic_add: Any = Word("atomic_add")
atomic_min: Any = Word("atomic_min")
atomic_max: Any = Word("atomic_max")
atomic_and: Any = Word("atomic_and")
atomic_or: Any = Word("atomic_or")
atomic_xor: Any = Word("atomic_xor")
atomic_exchange: Any = Word("atomic_exchange")
atomic_compare_exchange: Any = Word("atomic_compare_exchange")
array_length: Any = Word("array_length")
barrier: Any = Word("barrier")
memory_barrier: Any = Word("memory_barrier")
