"""refnvn: a slow, exact reference emulator of NVN.

Read next: ``refnvn/layout/gob.py`` (a screen), then ``refnvn/formats/norm.py``.
"""

from refnvn import version

__version__ = version.VERSION

__all__ = ["__version__"]
