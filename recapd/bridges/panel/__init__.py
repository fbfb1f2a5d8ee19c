"""The recap panel as it ships: bundles that `clients/build.mjs` made, for VS Code and for any browser.

`built/` is generated and never edited; `tests/editors` and `tests/bridges` fail when it is stale.
"""

from recapd.bridges.panel.built_files import extension_version, pack_extension, page_files

__all__ = ["extension_version", "pack_extension", "page_files"]
