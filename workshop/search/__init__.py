"""The search page of each language."""
