"""Reading progress: what the site remembers on the reader's own device, and how it is forgotten."""
