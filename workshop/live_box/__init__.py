"""Boxes to edit and run a cell in the page, on a model of JAX."""
