"""``python -m refnvn``."""

from refnvn.cli.main import main

main()
