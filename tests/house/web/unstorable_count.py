"""A count process that reports a full disk."""

if __name__ == "__main__":
    raise SystemExit(3)
