"""Certificates of lower bounds: they hold, and what was tampered with does not."""

import json

import numpy as np
import pytest

from ishango.cli import main
from ishango.kinds import CERTIFICATE as NAME
from ishango.kinds import CertificateError, Law, certificate, optimum
from ishango.kinds import check_certificate as check
from ishango.kinds._optimum import recursive_bounds

LAWS = [
    Law(precision=1, word=0.1, upto=15),
    Law(precision=40, word=0.05, upto=20),
    Law(precision=40, word=0.05, upto=15, grammar="hurford"),
    Law(precision=5, word=0.02, upto=12, error="log", need="exp:0.1"),
    Law(precision=5, word=0.02, upto=12, error="exact", need="uniform", effort=0.5),
    Law(precision=5, word=0.0, upto=6),
    Law(precision=5, word=1.0, upto=6, effort=0.0),
    Law(upto=1),
]


def held(directory, document):
    (directory / NAME).write_text(json.dumps(document))
    return check(directory)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_certificates_hold(law, tmp_path):
    best = optimum(law)
    found = held(tmp_path, certificate(best))
    assert found.cost == pytest.approx(best.costs.total)
    assert (found.lower, found.unknown_need) == (best.lower, None)


def test_what_was_tampered_with_does_not_hold(tmp_path):
    sound = certificate(optimum(LAWS[1]))
    assert sound["priced"]
    assert not sound["proved"]

    def refused(message, **changes):
        with pytest.raises(CertificateError, match=message):
            held(tmp_path, {**sound, **changes})

    refused("may cost less", lower=sound["lower"] + 1e-4)
    refused("it is said|not 1.5|costs", cost=1.5)
    refused("called proved", proved=True)
    refused("costs", digits=[*sound["digits"], 19])
    refused("weights", weights=sound["weights"][::-1])
    refused("may cost less", priced=[])
    refused("more than 2 words", plain=sound["plain"][:2])
    raised = np.array(sound["plain"][0]) + 1e-6
    refused("can be had", plain=[raised.tolist(), *sound["plain"][1:]])
    table = [list(row) for row in sound["priced"][0]["table"]]
    table[2][5] = None
    refused("can be had", priced=[{**sound["priced"][0], "table": table}, *sound["priced"][1:]])
    refused("below 0", priced=[{**sound["priced"][0], "price": -0.1}])
    refused("not known", law={**sound["law"], "error": "other"})
    refused("not a certificate", law={})
    refused("not a certificate", law={**sound["law"], "need": 5})
    refused("not a certificate", cost=10**400)
    refused("not a certificate", law={**sound["law"], "need": "power:-1000"})
    few = [0.012 * each for each in sound["weights"]]
    refused("do not add up to 1", weights=few, law={**sound["law"], "need": "file:x"})
    for word in (-1, 0, 1.5, True, sound["law"]["upto"] + 1):
        refused("is no number of the range", digits=[*sound["digits"], word])
    for name in ("word", "effort", "precision"):
        refused("must not be below 0", law={**sound["law"], name: -0.1})
    assert held(tmp_path, {**sound, "law": {**sound["law"], "need": "file:x"}}).unknown_need == "file:x"


def test_a_single_multiplier_that_is_a_numeral_is_a_system():
    assert np.isfinite(recursive_bounds(Law(upto=10, grammar="hurford"))[1])
    assert np.isinf(recursive_bounds(Law(upto=10))[1])


def test_the_commands(tmp_path, capsys):
    words = ["kinds", "optimum", "--range", "12", "--precision", "30", "--word", "0.1", "--out", str(tmp_path / "a")]
    assert main(words) == 0
    assert main(["kinds", "check", str(tmp_path / "a")]) == 0
    assert "The certificate holds" in capsys.readouterr().out
    file = tmp_path / "a" / NAME
    file.write_text(file.read_text().replace('"lower": 1.', '"lower": 1.9'))
    assert main(["kinds", "check", str(tmp_path / "a")]) == 1
    assert "does not hold" in capsys.readouterr().err
    assert main(["kinds", "check", str(tmp_path)]) == 2
