"""Predict cards: a question above a cell, whose answer is what the cell then shows."""
