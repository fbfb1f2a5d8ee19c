/** recapd for Node: starts `recapd connect`, unless it is given another way. */

import { Connection } from "./recapd.js";
import { spawnConnect, type SpawnOptions } from "./spawn.js";
import type { OpenTransport } from "./transport.js";

export interface RecapdOptions extends SpawnOptions {
  /** Another way to a daemon than `recapd connect`. */
  readonly transport?: OpenTransport;
}

export class Recapd extends Connection {
  constructor({ transport, ...options }: RecapdOptions = {}) {
    super(transport ?? spawnConnect(options));
  }
}

export * from "./common.js";
export { spawnConnect, type SpawnOptions };
