"""What commands share: options, output, numbers and tables on a terminal."""
