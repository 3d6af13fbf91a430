"""Routes of the API that belong to no other package."""
