"""Runs of notebooks: alone in an empty folder, compared with what is documented, and recorded."""
