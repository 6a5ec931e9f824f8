"""A snapshot made small: specifications of charts are in it once, and all of it is compressed."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any, cast

_CHART = frozenset({"light", "dark", "datasets"})


def packed(snapshot: dict[str, Any]) -> str:
    """The snapshot as text that may stand in a page: JSON, compressed, in base 64; `static/js/api.js` unpacks it."""
    specifications: dict[str, int] = {}
    answers = _without_specifications(snapshot["answers"], specifications)
    whole = {**snapshot, "answers": answers, "specifications": [json.loads(text) for text in specifications]}
    text = json.dumps(whole, allow_nan=False, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _without_specifications(value: Any, known: dict[str, int]) -> Any:
    """The same with the place of its specification in a list instead of each chart's own."""
    if isinstance(value, list):
        return [_without_specifications(each, known) for each in cast(list[Any], value)]
    if not isinstance(value, dict):
        return value
    fields = cast(dict[str, Any], value)
    if fields.keys() == _CHART:
        text = json.dumps({"light": fields["light"], "dark": fields["dark"]}, separators=(",", ":"))
        return {"specification": known.setdefault(text, len(known)), "datasets": fields["datasets"]}
    return {name: _without_specifications(each, known) for name, each in fields.items()}
