/** The way to a daemon: opened once per connection, and said how it ended. */

import type { MessageReader, MessageWriter } from "vscode-jsonrpc";

/**
 * Why there is no connection.
 * `missing`: there is no recapd to start. `refused`: it says that another try will not help. `broken`: try again.
 */
export interface Ending {
  readonly kind: "missing" | "refused" | "broken";
  /** One sentence for a person; empty where there is nothing to say. */
  readonly message: string;
  /** Not before so long. */
  readonly waitMs?: number;
}

export interface Transport {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  /** Settles when the connection is gone, however that came. */
  readonly ended: Promise<Ending>;
  /** The first request, where the way asks for one. */
  readonly token?: string;
  close(): void;
}

/** An ending at once where there is no way to open. */
export type OpenTransport = () => Promise<Transport | Ending>;
