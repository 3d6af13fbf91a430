"""The page in a real Chromium, as somebody who only sees the screen."""
