"""One module per log format, each knows its format and nothing else. `registry` lists them."""
