"""Shaders as a small typed representation: written in Python, executed by numpy or numba, printed as GLSL."""
