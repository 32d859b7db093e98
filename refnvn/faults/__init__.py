"""Wrong things that a Metal path is known to do, each at one named point.

A fault changes a rule, rewrites a trace, wraps memory, or transforms what crosses the boundary to the processor. The
reference itself never runs a fault; goldens and diagnosis do. Read next: ``fault.py``, ``rewrite.py``.
"""
