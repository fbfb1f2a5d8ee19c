/**
 * A connection to recapd that comes back by itself.
 *
 *     connecting ─▶ ready ─▶ gone ─▶ connecting … without end, 0.2 s to 10 s apart
 *          └──▶ missing ─▶ (looks again as often)
 */

import { CancellationTokenSource, createMessageConnection, ErrorCodes, ResponseError, type MessageConnection, type MessageWriter } from "vscode-jsonrpc";

import { RecapdError, RecapdTimeout, RecapdUnreachable } from "./errors.js";
import type { Methods, Notifications, RecapdDiscoverResult } from "./protocol.js";
import { Watch, type Selector, type WatchOptions, type Watched } from "./subscription.js";
import type { Ending, OpenTransport, Transport } from "./transport.js";

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
/** A connection that held so long was a good one: the next wait is short again. */
const HELD_MS = 5_000;
const TIMEOUT_MS = 30_000;

export type State =
  | { readonly kind: "connecting" }
  | { readonly kind: "ready" }
  /** It was there, or could not be started; it is tried again. */
  | { readonly kind: "gone"; readonly message: string }
  /** There is no recapd on this machine, or not where it was looked for. */
  | { readonly kind: "missing"; readonly message: string }
  | { readonly kind: "closed" };

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** How long to wait for the answer, connecting included. */
  readonly timeoutMs?: number;
}

type Listener<Value> = (value: Value) => void;
export type Method = keyof Methods;
export type Params<Name extends Method> = Methods[Name]["params"];
export type Result<Name extends Method> = Methods[Name]["result"];

/** How long the last try took until the way was open, and from there until recapd had answered for the first time. */
export interface ConnectTimes {
  readonly openMs: number;
  readonly greetMs: number;
}

export interface Dispose {
  (): void;
}

export class Connection {
  #state: State = { kind: "connecting" };
  #about: RecapdDiscoverResult | undefined;
  #times: ConnectTimes | undefined;
  #transport: Transport | undefined;
  #rpc: MessageConnection | undefined;
  #waitMs = FIRST_WAIT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #open: OpenTransport;
  readonly #stateListeners = new Set<Listener<State>>();
  readonly #noteListeners = new Map<string, Set<Listener<never>>>();

  constructor(open: OpenTransport) {
    this.#open = open;
    void this.#connect();
  }

  get state(): State {
    return this.#state;
  }

  /** Who answers and what it can do; undefined until it first answered. */
  get about(): RecapdDiscoverResult | undefined {
    return this.#about;
  }

  get times(): ConnectTimes | undefined {
    return this.#times;
  }

  onState(listener: Listener<State>): Dispose {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  on<Name extends keyof Notifications>(name: Name, listener: Listener<Notifications[Name]["params"]>): Dispose {
    const listeners = this.#noteListeners.get(name) ?? new Set();
    this.#noteListeners.set(name, listeners.add(listener as Listener<never>));
    return () => listeners.delete(listener as Listener<never>);
  }

  /** The answer; RecapdError, RecapdUnreachable, RecapdTimeout or the signal's reason where there is none. */
  async request<Name extends Method>(
    method: Name,
    params: Params<Name>,
    { signal, timeoutMs = TIMEOUT_MS }: RequestOptions = {},
  ): Promise<Result<Name>> {
    signal?.throwIfAborted();
    const cancelling = new CancellationTokenSource();
    let giveUp: (error: Error) => void = () => undefined;
    const givenUp = new Promise<never>((_, reject) => (giveUp = reject));
    const timer = setTimeout(() => giveUp(new RecapdTimeout(method, timeoutMs)), timeoutMs);
    const onAbort = (): void => giveUp(signal?.reason as Error);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await Promise.race([this.#ready(), givenUp]);
      const rpc = this.#rpc;
      if (rpc === undefined) throw new RecapdUnreachable("recapd went before it was asked");
      return await Promise.race([this.#ask(rpc, method, params, cancelling), givenUp]);
    } catch (error) {
      cancelling.cancel();
      throw asOurs(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      cancelling.dispose();
    }
  }

  /** Be told of changes, also over connections that break; `fresh` says to forget what is known. */
  watch(selector: Selector, onChange: (change: Watched) => void, options: WatchOptions = {}): Dispose {
    const watch = new Watch(this, selector, onChange, options);
    return () => watch.end();
  }

  /** Try now instead of after the wait, as when the user has installed recapd. */
  retry(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waitMs = FIRST_WAIT_MS;
    void this.#connect();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#become({ kind: "closed" });
    this.#rpc?.dispose();
    this.#transport?.close();
  }

  async #ask<Name extends Method>(
    rpc: MessageConnection,
    method: Name,
    params: Params<Name>,
    cancelling: CancellationTokenSource,
  ): Promise<Result<Name>> {
    const answered = rpc.sendRequest<Result<Name>>(method, params, cancelling.token);
    // Nobody may be left to hear of it.
    answered.catch(() => undefined);
    const gone = new Promise<never>((_, reject) => {
      void this.#transport?.ended.then(() => reject(new RecapdUnreachable("recapd went before it had answered")));
    });
    gone.catch(() => undefined);
    return Promise.race([answered, gone]);
  }

  #ready(): Promise<void> {
    const { kind } = this.#state;
    if (kind === "ready") return Promise.resolve();
    if (kind === "closed") return Promise.reject(new RecapdUnreachable("this connection was closed"));
    if (kind === "missing") return Promise.reject(new RecapdUnreachable(this.#state.message));
    return new Promise((resolve, reject) => {
      const stop = this.onState((state) => {
        if (state.kind === "connecting" || state.kind === "gone") return;
        stop();
        if (state.kind === "ready") resolve();
        else reject(new RecapdUnreachable(state.kind === "missing" ? state.message : "this connection was closed"));
      });
    });
  }

  async #connect(): Promise<void> {
    if (this.#state.kind !== "missing") this.#become({ kind: "connecting" });
    const began = Date.now();
    const transport = await this.#open();
    const opened = Date.now();
    if ("kind" in transport) {
      this.#comeBack(transport);
      return;
    }
    if (this.#state.kind === "closed") {
      transport.close();
      return;
    }
    const rpc = createMessageConnection(transport.reader, quiet(transport.writer));
    this.#transport = transport;
    this.#rpc = rpc;
    rpc.onNotification((method, params) => {
      this.#noteListeners.get(method)?.forEach((listener) => listener(params as never));
    });
    rpc.onError(() => undefined);
    rpc.listen();
    let refusal: Ending | undefined;
    try {
      const failed = transport.ended.then(() => Promise.reject(new Error("ended")));
      failed.catch(() => undefined);
      const greeted = this.#greet(rpc, transport);
      greeted.catch(() => undefined);
      await Promise.race([greeted, failed]);
      this.#times = { openMs: opened - began, greetMs: Date.now() - opened };
      this.#become({ kind: "ready" });
    } catch (error) {
      if (error instanceof ResponseError) refusal = { kind: "refused", message: error.message };
      transport.close();
    }
    const ending = await transport.ended;
    rpc.dispose();
    this.#rpc = undefined;
    this.#transport = undefined;
    if (Date.now() - began > HELD_MS) this.#waitMs = FIRST_WAIT_MS;
    this.#comeBack(refusal ?? ending);
  }

  async #greet(rpc: MessageConnection, transport: Transport): Promise<void> {
    if (transport.token !== undefined) await rpc.sendRequest("recapd/authenticate", { token: transport.token });
    this.#about = await rpc.sendRequest<RecapdDiscoverResult>("recapd/discover", {});
  }

  #comeBack(ending: Ending): void {
    if (this.#state.kind === "closed") return;
    this.#become({ kind: ending.kind === "missing" ? "missing" : "gone", message: ending.message });
    const waitMs = Math.max(this.#waitMs, ending.waitMs ?? 0);
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#connect();
    }, waitMs);
  }

  #become(state: State): void {
    const { kind } = this.#state;
    if (kind === "closed" || (kind === state.kind && kind !== "gone" && kind !== "missing")) return;
    this.#state = state;
    for (const listener of [...this.#stateListeners]) listener(state);
  }
}

/** What the library says of a connection that went is no answer of recapd's. */
function asOurs(error: unknown): unknown {
  if (!(error instanceof ResponseError)) return error;
  const isAboutTheWay =
    error.code >= ErrorCodes.MessageWriteError && error.code <= ErrorCodes.ConnectionInactive;
  if (isAboutTheWay) return new RecapdUnreachable("recapd went before it had answered");
  return new RecapdError(error.code, error.message, error.data);
}

/** The library lets a failed write escape into nowhere; that a connection went is told by its end. */
function quiet(writer: MessageWriter): MessageWriter {
  return {
    onError: writer.onError,
    onClose: writer.onClose,
    write: (message) => writer.write(message).catch(() => undefined),
    end: () => writer.end(),
    dispose: () => writer.dispose(),
  };
}
