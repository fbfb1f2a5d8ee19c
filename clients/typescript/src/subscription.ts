/** One subscription: made again after each break, from where it stood. */

import { RecapdError } from "./errors.js";
import type { SessionChange, Settle, SubscriptionSelector } from "./protocol.js";
import type { Connection } from "./recapd.js";

export type Selector = SubscriptionSelector;

export interface WatchOptions {
  /** How long to wait for a burst to end; absent: as recapd is configured. */
  readonly settle?: Settle;
}

export interface Watched {
  /** Forget what is known: `changes` names all there is. */
  readonly fresh: boolean;
  readonly changes: readonly SessionChange[];
}

/** Between two tries of one that recapd ended or refused. */
const AGAIN_MS = 1_000;

let lastId = 0;

export class Watch {
  readonly #id = `watch-${++lastId}`;
  readonly #stops: (() => void)[];
  #cursor: string | undefined;
  #isOver = false;

  constructor(
    private readonly connection: Connection,
    private readonly selector: Selector,
    private readonly onChange: (change: Watched) => void,
    private readonly options: WatchOptions,
  ) {
    this.#stops = [
      connection.onState((state) => {
        if (state.kind === "ready") void this.#subscribe();
      }),
      connection.on("recap/didChange", (params) => {
        if (params.subscriptionId !== this.#id || this.#isOver) return;
        this.#cursor = params.cursor;
        if (params.changes.length > 0 || params.fresh) this.onChange({ fresh: params.fresh, changes: params.changes });
        if (params.ended) this.#againLater();
      }),
    ];
    if (connection.state.kind === "ready") void this.#subscribe();
  }

  end(): void {
    this.#isOver = true;
    this.#stops.forEach((stop) => stop());
    if (this.connection.state.kind === "ready") {
      this.connection.request("recap/unsubscribe", { subscriptionId: this.#id }).catch(() => undefined);
    }
  }

  async #subscribe(): Promise<void> {
    if (this.#isOver) return;
    try {
      const { cursor, fresh, sessions } = await this.connection.request("recap/subscribe", {
        subscriptionId: this.#id,
        selector: this.selector,
        ...(this.#cursor === undefined ? {} : { since: this.#cursor }),
        ...(this.options.settle === undefined ? {} : { settle: this.options.settle }),
      });
      if (this.#isOver) return;
      this.#cursor = cursor;
      if (fresh || sessions.length > 0) this.onChange({ fresh, changes: sessions });
    } catch (error) {
      if (error instanceof RecapdError) {
        this.#cursor = undefined;
        this.#againLater();
      }
    }
  }

  #againLater(): void {
    const timer = setTimeout(() => {
      if (this.connection.state.kind === "ready") void this.#subscribe();
    }, AGAIN_MS);
    (timer as { unref?: () => void }).unref?.();
  }
}
