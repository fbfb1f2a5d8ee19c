"""One package per agent or family of formats, each knows its formats and nothing else. `registry` lists them."""
