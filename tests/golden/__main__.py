"""`python -m tests.golden [NAME ...] [--keep]`: plays the parts, all or some, and lists what differs from before."""

import sys

from tests.golden.digests import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
