import pytest
from tests.lab.toy import contents, toy

from ishango.lab import run


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the toy's five rounds, played in one go."""
    directory = tmp_path_factory.mktemp("undisturbed")
    run(toy(), directory)
    return contents(directory)
