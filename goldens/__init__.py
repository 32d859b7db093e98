"""The catalogue of goldens: scenes in code by ``t_*`` test, and their accepted results."""
