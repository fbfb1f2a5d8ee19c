/** What can go wrong with a request, told apart by name instead of by number. */

import { ErrorCode, type ErrorDataByName } from "./protocol.js";

export type ErrorName = keyof typeof ErrorCode;

const NAMES = new Map<number, ErrorName>(
  (Object.entries(ErrorCode) as [ErrorName, number][]).map(([name, code]) => [code, name]),
);

/** recapd's answer to a request that it could not carry out; `message` is one sentence for a person. */
export class RecapdError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
    this.name = "RecapdError";
  }

  /** Whether it is this error; then `data` has its type. */
  is<Name extends ErrorName>(name: Name): this is RecapdError & { data: ErrorDataByName[Name] } {
    return NAMES.get(this.code) === name;
  }
}

/** There is nobody to ask: recapd is not installed, could not be started, or went before it had answered. */
export class RecapdUnreachable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RecapdUnreachable";
  }
}

/** The answer took longer than the caller wanted to wait. */
export class RecapdTimeout extends Error {
  constructor(method: string, timeoutMs: number) {
    super(`recapd did not answer ${method} within ${timeoutMs / 1000} s`);
    this.name = "RecapdTimeout";
  }
}
