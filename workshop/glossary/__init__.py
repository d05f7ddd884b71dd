"""The page of terms, made from `book/glossary.csv`."""
