// Errors of lite servers. The numbers are those of the wire: by them clients decide whether to retry, to try another server
// or to fail, so both of our implementations use the same ones.

const liteErrorCodes = {
  /** The attempt failed: a transaction is not where it should be, a message was not accepted. */
  failed: 0,
  /** The query itself is wrong, or is about something this server never has. */
  badQuery: -400,
  /** The query cannot be read at all. */
  protocol: 621,
  /** The block is unknown or not applied yet; another server may have it. */
  notReady: 651,
  /** A masterchain block did not come in time. */
  timeout: 652,
  /** The caller cancelled, or the server is closing. */
  cancelled: 653,
} as const

/** The server itself failed: another one may answer. */
export const SERVER_FAULT = -503

export type LiteErrorKind = keyof typeof liteErrorCodes

/** The cast: the table's own names. */
const liteErrorKinds = Object.keys(liteErrorCodes) as readonly LiteErrorKind[]

const kindByCode: ReadonlyMap<number, LiteErrorKind> = new Map(
  liteErrorKinds.map((kind) => [liteErrorCodes[kind], kind]),
)

/** Temporary: not ready, late, cancelled, and the codes of servers and proxies that are overloaded. */
const PASSING: ReadonlySet<number> = new Set([
  liteErrorCodes.notReady,
  liteErrorCodes.timeout,
  liteErrorCodes.cancelled,
  SERVER_FAULT,
  228,
  429,
  502,
  503,
])

/** Rate limits, of servers and of the proxies in front of them. */
const RATE_LIMITS: ReadonlySet<number> = new Set([228, 429])

/** A state that was removed: servers keep them for a day or so. */
const STATE_GONE = 602
/** Codes 0 and -400 mean many things; with these texts older servers mean what newer ones send as 651. */
const MISSING_CODES: ReadonlySet<number> = new Set([liteErrorCodes.failed, liteErrorCodes.badQuery])
const MISSING =
  /not in db|ltdb: block not found|gc'd|cannot load (?:block|state)|failed to get account state|block is not applied/i

/** What a server of several was called for. */
export interface AskedServer {
  readonly server: string
  /** Null when it was not called. */
  readonly verb: string | null
  readonly seqno: number | null
}

/** An error answer of a lite server, ours or a remote one. */
export class LiteError extends Error {
  /** Who answered so, and to what, where there are several. */
  asked: AskedServer | null = null
  /** The code on the wire. Remote servers also send codes that have no kind here. */
  readonly code: number

  constructor(code: number | LiteErrorKind, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'LiteError'
    this.code = typeof code === 'number' ? code : liteErrorCodes[code]
  }

  /** Null for a code this table does not know. */
  get kind(): LiteErrorKind | null {
    return kindByCode.get(this.code) ?? null
  }

  /** Whether the server works and lacks the block, or the state after it. */
  get isMissing(): boolean {
    if (this.kind === 'notReady' || this.code === STATE_GONE) return true
    return MISSING_CODES.has(this.code) && MISSING.test(this.message)
  }

  /** Whether the server sent bytes that are no answer: a refusal of its own has no cause here. */
  get isUnreadable(): boolean {
    return this.kind === 'protocol' && this.cause !== undefined
  }

  /** Whether the server has had enough queries for now. */
  get isRateLimit(): boolean {
    return RATE_LIMITS.has(this.code)
  }

  /** Whether the same query may succeed later, or with another server. */
  get isTransient(): boolean {
    return PASSING.has(this.code)
  }
}

/** The embedded chain cannot store blocks: `full` until there is disk space, `broken` until it is reopened. */
export class StorageError<Code extends string = string> extends Error {
  readonly code: Code

  constructor(code: Code, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = new.target.name
    this.code = code
  }
}

/**
 * The embedded chain dropped a change before a block had it: it was reverted or closed, too many changes waited already, or the
 * block could not be made.
 */
export class ChangeDropped extends Error {
  override readonly name = 'ChangeDropped'
}

/** What a lite server answers when the TVM could not finish a get-method; the room of the TVM is not known here. */
export function liteErrorOfRun(failure: Error & { readonly code: string }): LiteError {
  const { code, message } = failure
  if (code === 'aborted' || code === 'closed') return new LiteError('cancelled', message)
  if (code === 'busy' || code === 'timeout') return new LiteError('timeout', message)
  return new LiteError('badQuery', message, { cause: failure })
}
