"""Charts as the page takes them: light and dark, with one copy of the data, and drawn once for the same tables."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import altair as alt
import pandas as pd

from ishango.figures.vega import dark, shown_through, specification

MOST_KEPT = 128

_kept: OrderedDict[tuple[Any, ...], dict[str, Any]] = OrderedDict()
_lock = threading.Lock()


def picture(figure: Callable[..., alt.TopLevelMixin], *tables: pd.DataFrame, **options: Any) -> dict[str, Any]:
    """The specification of a figure of these tables for both pages; the data, which is most of it, is given once.

    A chart takes Altair a tenth of a second, and pages ask for the same ones again and again.
    """
    key = (figure.__name__, *map(_digest, tables), *sorted(options.items()))
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    light = shown_through(specification(figure(*tables, **options)))
    datasets = light.pop("datasets", {})
    drawn = {"light": light, "dark": dark(light), "datasets": datasets}
    with _lock:
        _kept[key] = drawn
        if len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return drawn


def _digest(table: pd.DataFrame) -> bytes:
    rows = pd.util.hash_pandas_object(table, index=False).to_numpy().tobytes() if len(table) else b""
    return hashlib.sha256("\0".join(table.columns).encode() + b"\n" + rows).digest()
