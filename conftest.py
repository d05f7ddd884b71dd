"""What pytest loads first; that it lies here puts this folder on the path of the tests."""

pytest_plugins = ["workshop.runs.pytest_plugin", "tests.site_fixtures"]
