"""What makes, runs and checks the book: a room for each feature that a reader sees, and some more.

It is on the path wherever one works in the folder of the repository: `python -m workshop.…`, and
pytest, whose conftest.py lies there. Only Sphinx has to be told, in `_config.yml`.
"""
