"""The server itself: settings, start and end, logs, metrics."""
