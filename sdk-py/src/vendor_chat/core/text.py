"""Cuts and repairs of texts."""

from __future__ import annotations


def cut_to_chars(text: str, chars: int) -> str:
    """At most ``chars`` code points."""
    return text if len(text) <= chars else text[:chars]


def cut_to_bytes(text: str, limit: int) -> str:
    """The longest start of at most ``limit`` UTF-8 bytes; a lone surrogate counts 3 bytes."""
    if len(text) * 4 <= limit:
        return text
    # Sliced before anything else: a text of 10 MB must not be looked through.
    head = text[: limit + 1]
    if head.isascii():
        return text if len(text) <= limit else head[:limit]
    data = head.encode("utf-8", "surrogatepass")
    if len(data) <= limit and len(head) == len(text):
        return text
    end = min(limit, len(data))
    while end > 0 and end < len(data) and data[end] & 0xC0 == 0x80:
        end -= 1
    return data[:end].decode("utf-8", "surrogatepass")


def repair(text: str) -> str:
    """Lone surrogates become U+FFFD, NUL is removed: stores refuse both."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            data = text.encode("utf-16-le", "surrogatepass")
            text = data.decode("utf-16-le", "replace")
    return text.replace("\0", "") if "\0" in text else text
