"""What was played, counted in whole numbers and read as figures."""
