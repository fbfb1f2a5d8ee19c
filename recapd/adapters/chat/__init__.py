"""Rows of messages that many programs write alike, one per line, told apart by how they write content."""
