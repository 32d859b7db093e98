"""The version of refnvn, in one place that the build and the goldens read."""

VERSION = "0.1.0"
