"""One program in several idioms: below each other in notebooks, side by side on the site."""
