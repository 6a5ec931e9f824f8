"""The language of two agents as a table, and how far similar expressions get similar messages."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ishango.game.agents import Agents
from ishango.game.ask import best
from ishango.game.edit_distances import edit_distances
from ishango.game.expressions import Expressions
from ishango.safe_files import write

if TYPE_CHECKING:
    import pandas as pd

# pandas is loaded where it is used: players do not need it.


def dictionary(agents: Agents, expressions: Expressions, written: Mapping[int, str] | None = None) -> "pd.DataFrame":
    """One row a number: its expression, the likeliest message, and what the listener makes of that.

    Agents read expressions without brackets; `written` says how people read them.

    `said` is the probability that the speaker sends just this message, `understood` the probability that the
    listener then guesses right, `heard` its likeliest guess, `shared_by` how many numbers have this message.
    """
    import pandas as pd

    table = pd.DataFrame(_entries(agents, expressions))
    similarity = topographic_similarity(
        [tuple(e.split()) for e in table["expression"]], [tuple(m.split()) for m in table["message"]]
    )
    if written is not None:
        table["expression"] = [written[number] for number in table["number"]]
    table["shared_by"] = table.groupby("message")["number"].transform("size")
    return table.assign(topographic_similarity=similarity)


def _entries(agents: Agents, expressions: Expressions) -> Iterator[dict[str, object]]:
    for number, (message, length, said, heard) in enumerate(zip(*best(agents, expressions), strict=True), 1):
        yield {
            "number": number,
            "expression": " ".join(expressions[number]),
            "message": " ".join(map(str, message[:length].tolist())),
            "said": float(said),
            "heard": int(heard.argmax()) + 1,
            "understood": float(heard[number - 1]),
        }


def write_dictionary(
    agents: Agents, expressions: Expressions, path: Path | str, written: Mapping[int, str] | None = None
) -> None:
    """Write `dictionary` as CSV; the topographic similarity is the same in each row."""
    write(Path(path), dictionary(agents, expressions, written).to_csv(index=False).encode(), goes_on=False)


def topographic_similarity(meanings: list[tuple[str, ...]], messages: list[tuple[str, ...]]) -> float:
    """Spearman correlation between the edit distances of all pairs of meanings and of their messages.

    1 if messages are as near to one another as what they mean; nan if all distances on one side are equal.

    >>> topographic_similarity([("a",), ("a", "b"), ("c", "d")], [("x",), ("x", "y"), ("z", "w")])
    1.0
    """
    left, right = edit_distances(meanings), edit_distances(messages)
    if any(len(set(side.tolist())) < 2 for side in (left, right)):
        return float("nan")
    return float(np.corrcoef(np.column_stack((_ranks(left), _ranks(right))), rowvar=False)[1, 0])


def _ranks(values: np.ndarray) -> np.ndarray:
    """The rank of each value from 1 on; equal ones share the mean of theirs.

    >>> _ranks(np.array([3, 1, 3])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[place]
