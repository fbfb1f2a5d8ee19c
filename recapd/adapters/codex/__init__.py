"""Codex: sessions in envelopes (`adapter`), and the bare items of its first versions (`bare`)."""
