"""The command line."""


def main() -> None:
    """Placeholder until the commands are here."""
