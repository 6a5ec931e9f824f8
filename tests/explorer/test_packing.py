from __future__ import annotations

import base64
import gzip
import json

from ishango.explorer._builder import picture
from ishango.explorer._snapshot import packed
from ishango.figures.run_figures import lexicon_figure


def test_a_snapshot_has_each_specification_once_and_is_small() -> None:
    charts = [picture(lexicon_figure, {}) | {"datasets": {"words": [{"word": i}]}} for i in range(50)]
    answers = {f"api/run?name={i}": {"lexicon": chart, "rounds": [1, None, "é"]} for i, chart in enumerate(charts)}
    text = packed({"made": "today", "answers": answers})
    found = json.loads(gzip.decompress(base64.b64decode(text)))
    assert len(found["specifications"]) == 1
    assert found["answers"]["api/run?name=7"] == {
        "lexicon": {"specification": 0, "datasets": {"words": [{"word": 7}]}},
        "rounds": [1, None, "é"],
    }
    assert found["specifications"][0] == {"light": charts[0]["light"], "dark": charts[0]["dark"]}
    assert len(text) < 0.05 * len(json.dumps(answers))
