"""`python -m ishango` is `ishango`."""

import sys

from ishango.cli import main

sys.exit(main())
