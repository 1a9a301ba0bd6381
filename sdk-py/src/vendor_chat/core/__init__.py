"""Queue, sending and states. Knows no client library."""
