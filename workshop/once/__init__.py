"""What is run once and committed: the Hangul font, the cards for social networks."""
