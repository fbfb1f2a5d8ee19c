export * from "./errors.js";
export type * from "./protocol.js";
export { ErrorCode, PROTOCOL_VERSION } from "./protocol.js";
export type { Connection, ConnectTimes, Dispose, Method, Params, RequestOptions, Result, State } from "./recapd.js";
export type { Selector, WatchOptions, Watched } from "./subscription.js";
export type { Ending, OpenTransport, Transport } from "./transport.js";
