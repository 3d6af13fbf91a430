"""A count that no disk takes, for the tests of counting beside the house."""

if __name__ == "__main__":
    raise SystemExit(3)
