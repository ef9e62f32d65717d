// The shape of an entry: one function of lite servers, from both sides.

import { type Answers, decodeAnswer, encodeRequest, type FunctionName, type Requests, TlError } from '../../tl/index.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteOptions, LiteServer } from '../liteServer.ts'

/** Answers one function from a `LiteServer`. */
export interface ServedFunction<Name extends FunctionName> {
  answer(server: LiteServer, request: Requests[Name], options: LiteOptions): Promise<Answers[Name]>
  /** The same where it need not be waited for, else null. */
  answerAtOnce?(server: LiteServer, request: Requests[Name]): Answers[Name] | null
}

interface VerbParts<Name extends FunctionName, Args extends readonly unknown[], Own> {
  readonly request: (...args: Args) => Requests[Name]
  readonly serve: (server: LiteServer, request: Requests[Name], options: LiteOptions) => Promise<Own>
  readonly serveAtOnce?: (server: LiteServer, request: Requests[Name]) => Own | null | undefined
  readonly write: (own: Own, request: Requests[Name]) => Answers[Name]
  readonly read: (answer: Answers[Name]) => Own
}

export interface LiteVerb<Name extends FunctionName, Args extends readonly unknown[], Own>
  extends ServedFunction<Name> {
  request(...args: Args): Uint8Array
  /** Throws LiteError: the refusal, or `protocol` for bytes that are no answer of this function. */
  read(answer: Uint8Array): Own
}

/** For bytes of a server that do not parse. */
const unreadable = (cause: TlError): LiteError =>
  new LiteError('protocol', `the server's answer cannot be read: ${cause.message}`, { cause })

/** The log of a refused message takes a few thousand. */
const MOST_WORDS = 16_384

/** Logs, readiness and callers get what a server says, which may be megabytes. A copy: a part of a text keeps all of it. */
const wordsOf = (message: string): string =>
  message.length <= MOST_WORDS ? message : `${Buffer.from(message.slice(0, MOST_WORDS)).toString()}...`

/** Throws LiteError: the refusal, or `protocol`. */
function readAnswer<Name extends FunctionName, Own>(
  name: Name,
  bytes: Uint8Array,
  read: (answer: Answers[Name]) => Own,
): Own {
  try {
    const { answer, refusal } = decodeAnswer(name, bytes)
    if (refusal !== undefined) throw new LiteError(refusal.code, wordsOf(refusal.message))
    return read(answer)
  } catch (error) {
    throw error instanceof TlError ? unreadable(error) : error
  }
}

/** Throws LiteError `badQuery` for values that the wire cannot express. */
function writeRequest<Name extends FunctionName>(name: Name, request: Requests[Name]): Uint8Array {
  try {
    return encodeRequest(name, request)
  } catch (cause) {
    if (!(cause instanceof TlError) && !(cause instanceof RangeError)) throw cause
    throw new LiteError('badQuery', `${name} cannot be written: ${cause.message}`, { cause })
  }
}

export const verb = <Name extends FunctionName, Args extends readonly unknown[], Own>(
  name: Name,
  { request, serve, serveAtOnce, write, read }: VerbParts<Name, Args, Own>,
): LiteVerb<Name, Args, Own> => ({
  answer: async (server, query, options) => write(await serve(server, query, options), query),
  answerAtOnce: (server, query) => {
    const own = serveAtOnce?.(server, query) ?? null
    return own === null ? null : write(own, query)
  },
  request: (...args) => writeRequest(name, request(...args)),
  read: (bytes) => readAnswer(name, bytes, read),
})
