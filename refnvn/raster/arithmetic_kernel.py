"""The steps of ``arithmetic.py`` and ``either.py``, compiled once for all loops that are built on them.

Importing this module imports numba. Read next: ``plane_kernel.py``, ``span_kernel.py``, its uses.
"""

from __future__ import annotations

from typing import Any

from refnvn.kernel import inlined, rule_compiled
from refnvn.raster import arithmetic, either


def _select(condition: Any, yes: Any, no: Any) -> Any:
    return yes if condition else no


choice_kernel: Any = inlined(_select)
binary_exponent_kernel: Any = rule_compiled(either.binary_exponent)
two_to_the_kernel: Any = rule_compiled(either.two_to_the)
exponent_kernel: Any = rule_compiled(arithmetic.exponent, binary_exponent=binary_exponent_kernel)
power_of_two_kernel: Any = rule_compiled(arithmetic.power_of_two, two_to_the=two_to_the_kernel)
cut_24_kernel: Any = rule_compiled(arithmetic.cut_to_24_bits)
cut_27_kernel: Any = rule_compiled(arithmetic.cut_to_27_bits)
cut_29_kernel: Any = rule_compiled(arithmetic.cut_to_29_bits)
rounded_24_kernel: Any = rule_compiled(
    arithmetic.rounded_to_24_bits, exponent=exponent_kernel, power_of_two=power_of_two_kernel
)
