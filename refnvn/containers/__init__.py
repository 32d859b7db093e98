"""Files that other tools open: DDS, KTX2, PNG, PFM and npy.

The only room that knows the names and numbers of DXGI and Vulkan formats. Read ``surface.py`` first, then
``equivalents.py``, then a file per kind.
"""
