"""What is to be played: plan, strategy, and the tables that kernels read."""
