"""Files and plain pages that a browser is sent."""
