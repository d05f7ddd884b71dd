"""Figures that play a real run, step by step."""
