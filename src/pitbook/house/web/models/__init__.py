"""What the API answers, as types: the page is made from them, and nothing is checked twice."""
