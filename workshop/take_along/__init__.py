"""The book to take along: a PDF per language and the site in a zip."""
