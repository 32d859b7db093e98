"""What do shaders read of textures? Views, samplers, and the arithmetic between a coordinate and a value.

Read in this order: ``coordinates.py``, ``wrap.py``, ``weights.py``, ``texels.py``, ``integer_sums.py``,
``block_float.py``, ``lod.py``, then ``sample.py``, which puts them together.
"""
