"""What the tests of several rooms share, and the tests that cross rooms."""
