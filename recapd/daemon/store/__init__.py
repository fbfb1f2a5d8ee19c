"""What the daemon keeps on disk, in two files of the state folder.

    cache.db   what can be read again from the logs: how far each file is read, states, texts to search in
    kept.db    what cannot: summaries, marks, verdicts, tombstones, audit, sessions whose logs were deleted

Deleting either breaks nothing; deleting the second loses what it holds.
"""
