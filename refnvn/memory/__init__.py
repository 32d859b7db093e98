"""Memory pools and what looks at them: guest bytes, virtual pages, and the working copies of surfaces."""
