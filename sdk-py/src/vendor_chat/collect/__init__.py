"""Turns what an adapter reports into events. Knows no client library."""
