"""House papers: round reports, table results and certificates."""
