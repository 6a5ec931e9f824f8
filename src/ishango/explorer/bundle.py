"""The page's modules as one script, so that a browser asks once instead of forty times.

Each module becomes a function of its own, in an order in which none comes before what it imports; what it exports is
what the function returns. Modules use few forms of import and export, and one that uses another is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from graphlib import TopologicalSorter

_IMPORT = re.compile(r'^import (?:\* as (?P<whole>\w+)|(?P<some>\{[^}]*\})) from "\./(?P<module>\w+)\.js";$', re.M)
_EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function) (?P<name>\w+))", re.M)
_OTHER = re.compile(r"^(?:import\b(?!\()|export\b).*", re.M)


def bundled(modules: Mapping[str, str]) -> str:
    """One module that does what these do, by name and text.

    >>> print(bundled({"main": 'import { two as b } from "./a.js";\\nb();', "a": "export function two() {}"}))
    const $a = await (async () => {
    function two() {}
    return { two };
    })();
    const $main = await (async () => {
    const { two: b } = $a;
    b();
    return {  };
    })();
    """
    needs = {name: [found["module"] for found in _IMPORT.finditer(text)] for name, text in sorted(modules.items())}
    return "\n".join(_wrapped(name, modules[name]) for name in TopologicalSorter(needs).static_order())


def _wrapped(name: str, text: str) -> str:
    exports = [found["name"] for found in _EXPORT.finditer(text)]
    inside = _EXPORT.sub("", _IMPORT.sub(_taken, text))
    if found := _OTHER.search(inside):
        raise ValueError(f"{name}.js: {found[0]!r} is a form of import or export that cannot be bundled.")
    return f"const ${name} = await (async () => {{\n{inside}\nreturn {{ {', '.join(exports)} }};\n}})();"


def _taken(found: re.Match[str]) -> str:
    names = found["whole"] or found["some"].replace(" as ", ": ")
    return f"const {names} = ${found['module']};"
