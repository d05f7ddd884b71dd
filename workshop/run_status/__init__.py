"""The page that says when and how every notebook last ran."""
