"""The panel's page and its socket over HTTP, on loopback: who may have them, and how bytes go over a web socket."""

from recapd.server.web.serving import Site, serve_web

__all__ = ["Site", "serve_web"]
