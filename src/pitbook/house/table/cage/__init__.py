"""The counter: what passed over it, whose drawer it lies in, and what each request comes to."""
