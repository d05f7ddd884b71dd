"""The site that the tests of the site read: built once, by one worker."""

from pathlib import Path

import pytest
from built_site import REPOSITORY, ROOT, build


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the whole site strictly and return its folder."""
    return build(ROOT, tmp_path_factory.mktemp("site"), REPOSITORY)
