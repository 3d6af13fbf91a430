"""A count that no disk can store, for tests of counting in another process."""

if __name__ == "__main__":
    raise SystemExit(3)
