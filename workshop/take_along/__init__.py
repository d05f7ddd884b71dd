"""The book to take along: a PDF per language, the site in a zip, the cheat sheet."""
