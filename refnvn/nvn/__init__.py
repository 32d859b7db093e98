"""The API that scenes are written in, in NVN's own words."""
