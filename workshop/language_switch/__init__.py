"""Two languages in one site, and the switch between them."""
