"""Rolling summaries: when one is due, over what, and what it must say. Pure.

    policy    how many messages wait outside the window, and whether that is enough
    coverage  which messages a summary stands for, by ids that survive a rewrite, and whether they are still the same
    facts     what must not fade: decisions, files, commands, open questions, commitments, what the user told
    write     the text, within its cap
    prompt    what a model is asked, and whether its answer is one
    make      all of it put together

A summary is never written anew from the prose of the one before: facts are merged as data, sentences are chosen again
from those that were chosen before. So the tenth generation knows what the first one knew.
"""
