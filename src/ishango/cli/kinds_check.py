"""`ishango kinds check`: verify the certificate of an optimum."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ishango.cli.output import console, plural
from ishango.cli.parsing import parse
from ishango.cli.waiting import waiting
from ishango.errors import RequestError
from ishango.kinds.certificate_check import NAME, CertificateError, check


@dataclass(frozen=True)
class KindsCheck:
    """Verify what ishango kinds optimum --out DIR wrote, with code that shares nothing with the search: that the system
    costs what it is said to, and that no system costs less than the lower bound. Exit code 0 when both hold, else 1.

    Example: ishango kinds check out/optimum
    """

    directory: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="DIR")]
    """The directory with optimum.json."""


def main(arguments: list[str]) -> int:
    """Parse, check, print."""
    directory = parse(KindsCheck, "kinds check", arguments).directory
    if not (directory / NAME).is_file():
        raise RequestError(f"There is no {NAME} in {directory}; ishango kinds optimum --out DIR writes it.")
    try:
        with waiting("checking the certificate"):
            found = check(directory)
    except CertificateError as error:
        print(f"ishango: the certificate does not hold. {error}", file=sys.stderr)
        return 1
    console().print(
        f"The certificate holds ({plural(found.tables, 'table')}): the system costs {found.cost:.6f}, and none costs"
        f" less than {found.lower:.6f}."
    )
    if found.unknown_need is not None:
        console().print(
            f"The checker does not know the need {found.unknown_need}: this holds for the recorded weights."
        )
    return 0
