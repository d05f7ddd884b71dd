"""A chapter: its model, how it is read and written as notebooks, and what is checked in it."""
