"""Memory pools, sparse mappings, and working copies of surfaces."""
