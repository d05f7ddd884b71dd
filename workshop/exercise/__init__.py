"""An exercise on the site: its task, where to do it, its solution."""
