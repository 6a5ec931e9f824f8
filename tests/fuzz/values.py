# ruff: noqa: E501
"""Values for every option of every command: good, odd and bad ones."""

from __future__ import annotations

from hypothesis import strategies as st

ODD_TEXT = ["", " ", "none", "None", "nan", "inf", "-1", "0", "1e300", "99999999999999999999", "1.5", "x", "é", "\x00",
            "a" * 300, "--", "-", "1-", "-1-3", "1,,2", "%s", "{}", "../..", "/", "|"]  # fmt: skip


def mostly(good: list[str], bad: list[str] = ODD_TEXT) -> st.SearchStrategy[str]:
    """Good values twice as often as odd ones."""
    return st.one_of(st.sampled_from(good), st.sampled_from(good), st.sampled_from(bad))


SETS = mostly(["1-9", "1-9,11", "10", "1,2,5", "none", "7,50", "1-4", "5,10", "2,6", "4"],
              [*ODD_TEXT, "9-1", "1-100000", "0-3", "1-9-11", "10001", "1 2"])  # fmt: skip
RANGES = mostly(["99", "50", "20", "12", "100"], [*ODD_TEXT, "10001", "1", "2"])
NEEDS = mostly(["power:2", "power:1", "uniform", "exp:0.2", "file:need.csv"],
               [*ODD_TEXT, "power:", "power:-1", "power:101", "power:nan", "exp:0", "exp:100", "exp:inf", "file:", "gauss:2",
                "file:missing.csv", "file:bad.csv", "file:zero.csv", "file:.", "power:2:3", "uniform:1"])  # fmt: skip
SIZES = mostly(["2-6", "2", "3,5", "2-4"], [*ODD_TEXT, "0-3", "1-2", "200", "5-2", "2-1000"])
INTEGERS = mostly(["1", "2", "3", "5"], [*ODD_TEXT, str(10**30), "-5", "2.0"])
FLOATS = mostly(["0.1", "0.5", "0.002", "1"], [*ODD_TEXT, "-0.1", "1e308", "-inf", "2"])
GRAMMARS = mostly(
    ["modified", "hurford", "natural", "addition", "flat", "natural+", "rules:bare_number+plus", "grammar.toml"],
    [
        "Modified",
        "",
        "english",
        "hurford ",
        "rules:",
        "rules:bare_phrase",
        "plan.toml",
        "missing.toml",
        "bad-grammar.toml",
    ],
)
REWARDS = mostly(["exact", "linear", "inverse", "exponential"], ["", "Exact", "none"])
STARTS = mostly(
    ["1", "7", "random:3", "1-9 | 10"], [*ODD_TEXT, "9", "random:", "random:x", "1-9", "2 | 4", "1 | 2 | 3", "60 | 70"]
)
RUN_DIRECTORIES = mostly(
    ["run", "sweep", "coin", "aa", "learned", "."],
    ["missing", "empty", "file", "torn", "no-rounds", "bad-config", "newer", "", "plan.toml", "proof"],
)
NEW_DIRECTORIES = mostly(
    ["new", "new/deeper", "run", "coin"], ["file", "file/below", "torn", "", "\x00", "a" * 300, "proof", "/proc/x"]
)
PLANS = mostly(
    ["plan.toml", "restricted.toml"],
    ["missing.toml", "broken.toml", "types.toml", "unknown.toml", "empty.toml", "huge.toml", "file", ".", "odd.toml"],
)
FILES = mostly(["out.csv", "out.parquet"], ["out.txt", "out", "missing/out.csv", ".csv", "file/out.csv", "", "run"])
FIGURES = mostly(["figures"], ["file", "file/below", "/proc/x", ""])
LANGUAGES = mostly(["French", "english", "Awa Pit", "own"], [*ODD_TEXT, "Klingon"])
TERMS = mostly(
    ["1|2-4|5-", "1|2|3-", "Pirahã", "1-3|4-"], [*ODD_TEXT, "1|1", "2-", "1|3-", "5-1|", "1|2-|3-", "1|2-100000"]
)
