"""Between the network and the app: budgets, bodies, sockets, and who waits."""
