"""Finding what was said, by what somebody is about to work on.

text ─terms.py─▶ terms    text ─passages.py─▶ spans    both ─index.py─▶ postings ─rank.py─▶ the passages to read

The index holds numbers only: which words stand in which passage of which record. Texts stay in the log.
"""
