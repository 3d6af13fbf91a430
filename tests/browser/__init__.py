"""Tests of the page in a real Chromium, through what a user sees."""
