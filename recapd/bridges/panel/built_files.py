"""The bundles on disk: the files of the page, and the extension packed as editors take it."""

from __future__ import annotations

import html
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import zipfile

_BUILT = Path(__file__).parent / "built"
_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
_PAGE = ("index.html", "browser.js", "browser.css", "panel.css", "icon.svg", "demo.json")
# What only the page of a browser needs, and what only tests need.
_NOT_PACKED = {"media/index.html", "media/browser.js", "media/browser.css", "sources.sha256"}
# Every file has the same time, so that the same bundles make the same bytes.
_TIME = (1980, 1, 1, 0, 0, 0)
_CONTENT_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">%s</Types>
"""
_MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
<DisplayName>{title}</DisplayName>
<Description xml:space="preserve">{about}</Description>
<Tags>{tags}</Tags>
<Categories>{categories}</Categories>
<Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
<Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value={kind}/>
</Properties>
<Icon>extension/media/icon.png</Icon>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/media/icon.png" Addressable="true"/>
</Assets>
</PackageManifest>
"""


def page_files() -> dict[str, tuple[str, bytes]]:
    """The files of the page, by the path they are asked for: content type and bytes."""
    found = {f"/{name}": (_TYPES[Path(name).suffix], (_BUILT / "media" / name).read_bytes()) for name in _PAGE}
    return {"/": found["/index.html"], **found}


def extension_version() -> str:
    return str(json.loads((_BUILT / "package.json").read_bytes())["version"])


def pack_extension() -> bytes:
    """The .vsix: a zip with a manifest, which every editor of VS Code's family can install."""
    about = json.loads((_BUILT / "package.json").read_bytes())
    files = sorted(path.relative_to(_BUILT).as_posix() for path in _BUILT.rglob("*") if path.is_file())
    packed = [name for name in files if name not in _NOT_PACKED]
    # The daemon shows the page, and packs nothing.
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        _add(archive, "extension.vsixmanifest", _manifest(about).encode())
        _add(archive, "[Content_Types].xml", _content_types(packed).encode())
        for name in packed:
            _add(archive, f"extension/{name}", (_BUILT / name).read_bytes())
    return made.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    import zipfile

    entry = zipfile.ZipInfo(name, _TIME)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


def _manifest(about: dict[str, object]) -> str:
    keywords, categories, kinds = (about[key] for key in ("keywords", "categories", "extensionKind"))
    engines = about["engines"]
    assert isinstance(keywords, list) and isinstance(categories, list) and isinstance(kinds, list)
    assert isinstance(engines, dict)
    return _MANIFEST.format(
        name=_quoted(str(about["name"])),
        version=_quoted(str(about["version"])),
        publisher=_quoted(str(about["publisher"])),
        title=_escaped(str(about["displayName"])),
        about=_escaped(str(about["description"])),
        tags=_escaped(",".join(keywords)),
        categories=_escaped(",".join(categories)),
        engine=_quoted(str(engines["vscode"])),
        kind=_quoted(",".join(kinds)),
    )


def _content_types(names: list[str]) -> str:
    types = {".vsixmanifest": "text/xml", ".md": "text/markdown", ".png": "image/png"}
    suffixes = {".vsixmanifest", *(Path(name).suffix for name in names)}
    rows = (
        f"<Default Extension={_quoted(suffix)} ContentType={_quoted({**types, **_TYPES}[suffix])}/>"
        for suffix in sorted(suffixes)
    )
    return _CONTENT_TYPES % "".join(rows)


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)


def _quoted(text: str) -> str:
    return f'"{html.escape(text)}"'
