"""Modules whose examples need a part that is not installed are not collected."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["src/ishango/game/torch_backend.py"]
