"""The steps from an older book to today's."""
