"""Methods to play a plan, each with a predicate; the first that fits is used."""
