"""Where a texel lives: GOBs, blocks, levels, layers, sparse tiles, and the way back.

Read next: ``gob.py`` (a screen), ``block_linear.py``, ``description.py``, ``texture.py``.
"""
