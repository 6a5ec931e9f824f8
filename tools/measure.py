"""`python -m tools.measure [DIR]`: how large the source is and how it is cut, beside the goals."""

from __future__ import annotations

import ast
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"
SMALL = 40
"""A file of fewer lines is small."""
OPENED = {"__init__.py", "__main__.py"}
"""Files that Python looks for by their names, however little is in them."""
SKELETON = {"__init__.py", "options.py", "experiment.py", "record.py"}
"""Names that each experiment has, and so may occur more than once."""


@dataclass(frozen=True)
class Module:
    """What is counted in one file."""

    path: Path
    """Below the source."""
    lines: int
    imports: int
    """Lines of import statements, wherever they stand."""
    functions: tuple[int, ...]
    """Lines of each function and method."""
    public: frozenset[str]


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    now: str
    goal: str = ""


def modules(source: Path) -> list[Module]:
    """All Python files below a directory."""
    return [_module(path, source) for path in sorted(source.rglob("*.py"))]


def _module(path: Path, source: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    nodes = list(ast.walk(tree := ast.parse(text)))
    imports = {line for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for line in _lines(node)}
    functions = (len(_lines(node)) for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    below = path.relative_to(source)
    return Module(below, len(text.splitlines()), len(imports), tuple(functions), frozenset(_public(tree, below)))


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _public(tree: ast.Module, path: Path) -> Iterator[str]:
    """Names that a public module defines; an `__init__` also those that it takes from private modules."""
    if any(_private(part) for part in path.with_suffix("").parts):
        return
    for node in _statements(tree.body):
        if isinstance(node, ast.ImportFrom) and path.name == "__init__.py":
            if any(_private(part) for part in (node.module or "").split(".")):
                yield from (
                    alias.asname or alias.name
                    for alias in node.names
                    if not (alias.asname or alias.name).startswith("_")
                )
        else:
            yield from (name for name in _defined(node) if not name.startswith("_"))


def _private(part: str) -> bool:
    return part.startswith("_") and not part.startswith("__")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a module, also those under `if` and `try`."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            handlers = [each for handler in getattr(node, "handlers", []) for each in handler.body]
            yield from _statements([*node.body, *handlers, *node.orelse])


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from (
                each.id for each in ast.walk(target) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            )


def table(found: list[Module]) -> list[Row]:
    """What was counted, beside the goals."""
    lines = [each.lines for each in found]
    functions = sorted(length for each in found for length in each.functions)
    small = [each for each in found if each.lines < SMALL and each.path.name not in OPENED]
    names = Counter(each.path.name for each in found)
    doubled = sorted(
        name for name, times in names.items() if times > 1 and not {name, name.removeprefix("_")} & SKELETON
    )
    return [
        Row("Python files", f"{len(found):,}", "150"),
        Row("lines", f"{sum(lines):,}", "36,000"),
        Row("lines of a file, median / max", f"{statistics.median(lines):.0f} / {max(lines)}"),
        Row(f"files under {SMALL} lines", f"{len(small)}", "0"),
        Row("names of files that occur twice", f"{len(doubled)}", "0"),
        Row("import lines", f"{100 * sum(each.imports for each in found) / sum(lines):.1f} %", "6 %"),
        Row("public module-level names", f"{sum(len(each.public) for each in found):,}", "700"),
        Row("lines of a function, median / p90", f"{_share(functions, 0.5)} / {_share(functions, 0.9)}"),
        Row("doubled", ", ".join(doubled) or "none"),
    ]


def _share(ordered: list[int], share: float) -> int:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


def main(words: list[str]) -> None:
    """Print the table."""
    for row in [Row("", "now", "goal"), *table(modules(Path(words[0]) if words else SOURCE))]:
        print(f"{row.what:<36}{row.now:>14}{row.goal:>10}".rstrip() if len(row.now) < 15 else f"{row.what}: {row.now}")


if __name__ == "__main__":
    main(sys.argv[1:])
