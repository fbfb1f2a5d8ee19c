/** A daemon's web socket: the protocol's frames as a stream of bytes, and a token as the first request. */

import { ReadableStreamMessageReader, WriteableStreamMessageWriter, Disposable } from "vscode-jsonrpc";

import type { Ending, OpenTransport, Transport } from "./transport.js";

/** What the daemon closes a socket with when it wants no other try. */
const POLICY = 1008;

export function webSocket(url: string, token: string): OpenTransport {
  return () =>
    new Promise<Transport>((resolve) => {
      const socket = new WebSocket(url);
      socket.binaryType = "arraybuffer";
      const listen = (kind: string, listener: (event: never) => void): Disposable => {
        socket.addEventListener(kind, listener as EventListener);
        return Disposable.create(() => socket.removeEventListener(kind, listener as EventListener));
      };
      const life = {
        onClose: (listener: () => void) => listen("close", listener),
        onError: (listener: (error: unknown) => void) => listen("error", listener),
        onEnd: (listener: () => void) => listen("close", listener),
      };
      const ended = new Promise<Ending>((settle) =>
        listen("close", (event: CloseEvent) =>
          settle({ kind: event.code === POLICY ? "refused" : "broken", message: event.reason }),
        ),
      );
      const transport: Transport = {
        reader: new ReadableStreamMessageReader({
          ...life,
          onData: (listener) =>
            listen("message", (event: MessageEvent<ArrayBuffer>) => listener(new Uint8Array(event.data))),
        }),
        writer: new WriteableStreamMessageWriter({
          ...life,
          write: (data: Uint8Array | string) => {
            socket.send(typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data));
            return Promise.resolve();
          },
          end: () => socket.close(),
        }),
        ended,
        token,
        close: () => socket.close(),
      };
      listen("open", () => resolve(transport));
      // One that never opened ends at once.
      listen("close", () => resolve(transport));
    });
}
