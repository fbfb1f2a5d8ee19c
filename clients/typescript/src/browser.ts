/** recapd for web pages: by the web socket that `recapd panel` opens. */

export * from "./common.js";
export { Connection as Recapd } from "./recapd.js";
export { webSocket } from "./websocket.js";
