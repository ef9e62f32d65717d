// Arguments and answers that are not what their types say: callers write JavaScript too, and an address may be that of any service.

type Verb = (...args: never[]) => unknown

const has = <K extends string>(value: unknown, name: K): value is Readonly<Record<K, Verb>> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof Reflect.get(value, name) === 'function'

const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'another object'
        : typeof value

/** Throws TypeError unless the value has a method that all values of its type have: another copy of @ton/core may have made it. */
export function requireWith(value: unknown, method: string, words: string): void {
  if (!has(value, method)) throw new TypeError(`${words}, not ${kindOf(value)}`)
}

export const requireAddress = (value: unknown): void =>
  requireWith(value, 'toRawString', "an address is an Address of @ton/core, as Address.parse('EQ...') returns")

export function requireSeqno(value: unknown): void {
  if (!Number.isSafeInteger(value) || Number(value) < 1)
    throw new TypeError(`at() takes the seqno of a masterchain block, not ${String(value)}`)
}

/** The point of an account's history that a list starts at. */
export function requireFrom(from: { readonly lt: unknown; readonly hash: unknown } | null | undefined): void {
  if (typeof from?.lt !== 'bigint' || !ArrayBuffer.isView(from.hash))
    throw new TypeError('a transaction is named by { lt, hash }: a bigint and the bytes of its hash')
}

/** Reads an answer. Throws Error when it is not what the method answers with. */
export function readAnswer<T>(method: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const advice = 'check that url is the address of a tonrpc service'
    throw new Error(`${method}: the answer cannot be read; ${advice}`, { cause })
  }
}
