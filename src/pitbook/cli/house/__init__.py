"""`pitbook serve`, `users`, `backup`, `restore`: a house's data folder, run and kept."""
