"""The page as a browser is sent it, and paper to print."""
