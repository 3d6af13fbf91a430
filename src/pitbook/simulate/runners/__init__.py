"""Who plays: this machine's cores, a GPU, a cluster; and what is kept of it."""
