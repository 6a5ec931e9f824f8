"""Run the benchmarks named on the command line, or all of them."""

import sys
from importlib import import_module

ALL = (
    *("numerals", "costs", "frontier", "game", "plain_loops", "pressures", "imitation", "lessons", "population", "lab"),
    *("explorer", "explorer_runs", "playground", "first_use", "scale"),
)

for name in sys.argv[1:] or ALL:
    if name not in ALL:
        sys.exit(f"There is no benchmark {name!r}; choose from {', '.join(ALL)}.")
    print(f"== {name} ==", flush=True)
    import_module(f"benchmarks.{name}").main()
