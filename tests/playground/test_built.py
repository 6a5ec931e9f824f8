"""What is shipped: built from the sources as they are, small, and free of addresses of others."""

import gzip
import hashlib
import re
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"
BUILT = Path(__file__).parents[2] / "src" / "ishango" / "playground"
SOURCES = re.compile(r"(build\.mjs|lab\.ts|(engine|agents|page|data)/.*\.(ts|css|html|json))")


def test_the_built_page_is_that_of_the_sources():
    found = sorted(str(path.relative_to(WEB).as_posix()) for path in WEB.rglob("*") if "node_modules" not in path.parts)
    digest = hashlib.sha256()
    for name in filter(SOURCES.fullmatch, found):
        digest.update(name.encode() + (WEB / name).read_bytes())
    built = (BUILT / "sources.txt").read_text().strip()
    assert built == digest.hexdigest(), "web/ has changed since the page was built; run make playground"


def test_all_files_are_small():
    assert sum(len(gzip.compress(path.read_bytes())) for path in BUILT.iterdir()) < 700_000


def test_nothing_is_loaded_from_elsewhere():
    for path in BUILT.iterdir():
        addresses = set(re.findall(r"https?://[^\s\"'`)<>]+", path.read_text(encoding="utf-8")))
        assert {each for each in addresses if not each.startswith("http://www.w3.org/")} <= set(), addresses


def test_exact_versions_and_no_lock_file():
    versions = re.findall(r'"([^"]+)": "([^"]+)"', (WEB / "package.json").read_text().split("devDependencies")[1])
    assert len(versions) > 3
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for _, version in versions)
    assert not (WEB / "package-lock.json").exists()
