"""One decision with an own hand, then a dealer's hand that shares no card with it."""
