"""``refnvn shader``: what a shader in a file takes and gives, whether it can be run, and the same as GLSL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refnvn.cli.output import json_option, print_json, print_table

if TYPE_CHECKING:
    from refnvn.shader.ir import Input, Output, Shader
    from refnvn.shader.ir_textures import TextureSlot


@click.command("shader")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--glsl", "only_glsl", is_flag=True, help="Print the GLSL and nothing else.")
@json_option
def command(file: Path, only_glsl: bool, as_json: bool) -> None:
    """Show the interface and size of the shader in FILE, and print it as GLSL.

    FILE holds a shader's intermediate representation as JSON: what `to_json` of a Python shader gives, or a stage of
    a program in a trace. Python is never run from here. A shader that cannot be run is an error that names the
    statement, exit 2.

    \b
    Examples:
      refnvn shader fragment.json
      refnvn shader fragment.json --glsl
    """
    from refnvn.files import read_file
    from refnvn.shader.glsl import glsl
    from refnvn.shader.ir import JSON_LIMIT_B, from_json

    shader = from_json(read_file(file, JSON_LIMIT_B), str(file))
    text = glsl(shader)
    if only_glsl:
        click.echo(text, nl=False)
    elif as_json:
        print_json({**_description(shader), "glsl": text})
    else:
        _tell(shader)
        click.echo()
        click.echo(text, nl=False)


def _description(shader: Shader) -> dict[str, Any]:
    """Return what there is to say of a shader."""
    import msgspec

    from refnvn.shader.execute import plan_of

    return {
        "name": shader.name,
        "stage": shader.stage.value,
        "supported": True,
        "statements": plan_of(shader).statement_count,
        "registers": len(shader.registers),
        "inputs": [msgspec.structs.asdict(one) for one in shader.inputs],
        "outputs": [msgspec.structs.asdict(one) for one in shader.outputs],
        "uniforms": [msgspec.structs.asdict(one) for one in shader.uniforms],
        "textures": [msgspec.structs.asdict(one) for one in shader.textures],
        "samplers": [msgspec.structs.asdict(one) for one in shader.samplers],
        "storage": [msgspec.structs.asdict(one) for one in shader.storage],
        "images": [msgspec.structs.asdict(one) for one in shader.images],
        "local_size": list(shader.local_size),
        "shared_B": shader.shared_B,
        "early_fragment_tests": shader.early_fragment_tests,
        "builtins": [builtin.value for builtin in shader.builtins],
        "discards": shader.can_discard,
        "writes_depth": shader.writes_depth,
        "takes_derivatives": shader.uses_derivatives,
        "operations": list(shader.operations),
        "rules": list(plan_of(shader).rules),
    }


def _tell(shader: Shader) -> None:
    said = _description(shader)
    click.echo(f"{shader.stage} shader {shader.name or '(no name)'}: supported, {said['statements']} statements, "
               f"{said['registers']} registers")  # fmt: skip
    rows = [("in", *_places(one), one.interpolation.value if said["stage"] == "fragment" else "")
            for one in shader.inputs]  # fmt: skip
    rows += [("out", *_places(one), "") for one in shader.outputs]
    if rows:
        print_table(("", "location", "type", "components", "name", "interpolation"), rows, indent="  ")
    for block in shader.uniforms:
        click.echo(f"  uniform block {block.binding}: {block.size_B} bytes {block.name}".rstrip())
    for storage in shader.storage:
        click.echo(f"  storage buffer {storage.binding}: {storage.name}".rstrip(": "))
    for image in shader.images:
        click.echo(f"  image {image.binding}: {image.dimension} of {image.format or 'any format'}, {image.type}")
    if shader.stage.value == "compute":
        size = " x ".join(map(str, shader.local_size))
        click.echo(f"  workgroup: {size}, {shader.shared_B} bytes shared")
    for texture in shader.textures:
        click.echo(f"  {texture_line(texture)}")
    for sampler in shader.samplers:
        click.echo(f"  separate sampler {sampler.binding} {sampler.name}".rstrip())
    for what in ("builtins", "operations"):
        if said[what]:
            click.echo(f"  {what}: {', '.join(said[what])}")
    also = [word for word, key in (("discards", "discards"), ("writes depth", "writes_depth"),
                                   ("takes derivatives", "takes_derivatives"),
                                   ("asks for early tests", "early_fragment_tests")) if said[key]]  # fmt: skip
    if also:
        click.echo(f"  {', '.join(also)}")


def _places(one: Input | Output) -> tuple[object, ...]:
    return one.location, one.type.value, one.components, one.name


def texture_line(slot: TextureSlot) -> str:
    """Return what a texture slot is, in a line.

    >>> from refnvn.shader.ir_textures import TextureSlot
    >>> texture_line(TextureSlot(binding=2, shadow=True, name="dark"))
    'texture 2: 2d of float, compared, dark'
    """
    where = "by handle" if slot.binding is None else str(slot.binding)
    what = f"{'separate ' * slot.separate}texture {where}: {slot.dimension} of {slot.type}"
    return what + ", compared" * slot.shadow + f", {slot.name}" * bool(slot.name)
