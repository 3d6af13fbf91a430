"""Sheets and exact figures for the page: worked out beside the loop, kept by hash."""
