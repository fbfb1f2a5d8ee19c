/** The way to the daemon for a page that may be older than it: nobody is told the token who does not prove to have it.
 *  While recapd is away another process may listen at its port. */

import { webSocket, type Ending, type OpenTransport } from "@recapd/client/browser";

const NONCE_BYTES = 32;
const STRANGER: Ending = { kind: "refused", message: "This address opens nothing any more. Run “recapd panel” in a terminal for the one that does." };
const NOBODY: Ending = { kind: "broken", message: "" };

export function provenSocket(host: string, token: string): OpenTransport {
  const open = webSocket(`ws://${host}/socket`, token);
  let isNew = true;
  return async () => {
    const isFirst = isNew;
    isNew = false;
    // Browsers that do not count loopback as safe have no `subtle`: there, only the address just given is believed.
    if (crypto.subtle === undefined) return isFirst ? open() : STRANGER;
    return (await whyNot(host, token)) ?? open();
  };
}

async function whyNot(host: string, token: string): Promise<Ending | null> {
  if (token === "") return STRANGER;
  const nonce = hex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
  let said: string;
  try {
    const answer = await fetch(`http://${host}/proof/${nonce}`, { cache: "no-store" });
    said = answer.ok ? await answer.text() : "";
  } catch {
    return NOBODY;
  }
  return said === (await proofOf(token, nonce)) ? null : STRANGER;
}

async function proofOf(token: string, nonce: string): Promise<string> {
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", bytes.encode(token), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes.encode(nonce))));
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
