"""The command line: ``python -m ownarray check PATHS``."""

import sys

from ownarray._checker.cli import main

if __name__ == "__main__":
    sys.exit(main())
