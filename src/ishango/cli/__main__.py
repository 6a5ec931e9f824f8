"""`python -m ishango.cli` is `ishango`."""

import sys

from ishango.cli import main

sys.exit(main())
