"""Where a run was played, as far as it can change the bits of a result."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ishango import __version__

PACKAGES = ("numpy", "numba")


def environment(packages: Sequence[str] = ()) -> dict[str, Any]:
    """Versions, also of these packages, platform and CPU type."""
    own = {"python": platform.python_version(), "ishango": __version__}
    return {
        "versions": own | {package: _version(package) for package in (*PACKAGES, *packages)},
        "platform": " ".join(filter(None, (platform.system(), platform.machine(), *platform.libc_ver()))),
        "cpu": cpu_type(),
    }


def cpu_type() -> str:
    """The CPU's model and vector instructions, which decide the machine code of the kernels."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    flags = (facts.get("flags") or facts.get("Features") or "").split()
    vectors = sorted(flag for flag in flags if flag.startswith(("avx", "fma", "sve", "asimd")))
    return " ".join([facts.get("model name") or platform.machine(), *vectors])


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
