// Answers the raw query of a client from any `LiteServer`.

import { SlicedWork } from '../../fairness/index.ts'
import {
  decodeRequest,
  encodeAnswer,
  encodeRefusal,
  type FunctionName,
  sizeOfAnswer,
  TlError,
  type TlRequest,
  unwrapQuery,
  type Wait,
} from '../../tl/index.ts'
import { bounded } from '../bounded.ts'
import { LiteError, SERVER_FAULT, StorageError } from '../liteErrors.ts'
import type { LiteOptions, LiteServer } from '../liteServer.ts'
import { ProofError } from '../verify/index.ts'
import { LONGEST_WAIT_MS } from '../waitLimits.ts'
import { functions } from './functions.ts'
import type { ServedFunction } from './verb.ts'
import { unsigned } from './wireNames.ts'

export interface ServingOptions {
  /** Aborted when the client has disconnected. */
  readonly signal?: AbortSignal | undefined
  /** Name of the client, by which the TVM is shared fairly. */
  readonly share?: string
  /** Called before a function is answered; a LiteError it throws is the answer. */
  readonly admit?: (name: FunctionName) => void | Promise<void>
  /** Called on faults of this program, which clients see as `internal error`. Null: before the request was read. */
  readonly onFault?: (name: FunctionName | null, error: unknown) => void
  /** How long answering may take, without waiting for a block. */
  readonly limitMs?: number
}

const LIMIT_MS = 4500
/** Largest answer that fits a frame with its envelope. */
const MOST_BYTES = 2 ** 24 - 256

const UNPROVEN = 502
const PROTOCOL = 621
const TOO_LARGE = -400

/** The error's own text names folders, which clients must not see. */
const DISK_WORDS: Readonly<Record<string, string>> & { readonly broken: string } = {
  full: 'the disk of the server is full',
  broken: 'the server cannot write to its disk',
}

async function waitFor(server: LiteServer, wait: Wait, { signal, share }: ServingOptions): Promise<void> {
  const timeoutMs = Math.min(Math.max(wait.timeout_ms, 0), LONGEST_WAIT_MS)
  await server.waitMasterchainSeqno(unsigned(wait.seqno), { timeoutMs, signal, share })
}

/** The casts: name and value belong to one function, which the type of the table cannot express. */
const servedBy = ({ name, value }: TlRequest) => ({
  served: functions[name] as unknown as ServedFunction<typeof name>,
  request: value as never,
})

/** Bytes of an answer that is copied in a turn of its own: hundreds of clients may wait for the same five megabytes. */
const LARGE_BYTES = 128 * 1024

async function answerOf(server: LiteServer, given: TlRequest, options: LiteOptions): Promise<Uint8Array> {
  const { served, request } = servedBy(given)
  const answer = await served.answer(server, request, options)
  if (sizeOfAnswer(answer) > LARGE_BYTES)
    await new SlicedWork({ signal: options.signal, subject: options.share }).rest()
  return encodeAnswer(given.name, answer)
}

function answerAtOnce(server: LiteServer, given: TlRequest): Uint8Array | null {
  const { served, request } = servedBy(given)
  const answer = served.answerAtOnce?.(server, request) ?? null
  return answer === null ? null : encodeAnswer(given.name, answer)
}

function boundedAnswer(
  server: LiteServer,
  request: TlRequest,
  { share, limitMs = LIMIT_MS, signal }: ServingOptions,
): Promise<Uint8Array> {
  const bound = { ms: limitMs, signals: [signal], late: () => new LiteError(SERVER_FAULT, 'timeout') }
  return bounded(bound, (own) => answerOf(server, request, { signal: own, share }))
}

function refusalOf(error: unknown): { readonly code: number; readonly message: string } | null {
  if (error instanceof LiteError) return { code: error.code, message: error.message }
  // Codes and texts are those of the public node.
  if (error instanceof TlError) return { code: error.code === 'wrapper' ? PROTOCOL : 0, message: error.message }
  if (error instanceof ProofError) return { code: UNPROVEN, message: `answer is not proven: ${error.message}` }
  if (error instanceof StorageError) return { code: SERVER_FAULT, message: DISK_WORDS[error.code] ?? DISK_WORDS.broken }
  return null
}

function refusal(error: unknown, name: FunctionName | null, onUnknown: () => void): Uint8Array {
  const known = refusalOf(error)
  if (known === null) onUnknown()
  const place = name === null ? 'before the query was read' : `in ${name}`
  return encodeRefusal(
    known ?? { code: SERVER_FAULT, message: `internal error ${place}: the log of the server has the cause` },
  )
}

/**
 * The answer to a query, or its refusal, as bytes; null for bytes that are no query, which servers leave unanswered. Never
 * rejects.
 */
export async function answerLiteQuery(
  server: LiteServer,
  bytes: Uint8Array,
  options: ServingOptions = {},
): Promise<Uint8Array | null> {
  let query: ReturnType<typeof unwrapQuery>
  try {
    query = unwrapQuery(bytes)
  } catch {
    return null
  }
  let name: FunctionName | null = null
  try {
    if (query.wait !== null) await waitFor(server, query.wait, options)
    const request = decodeRequest(query.request)
    name = request.name
    const admitted = options.admit?.(request.name)
    if (admitted !== undefined) await admitted
    const ready = options.signal?.aborted === true ? null : answerAtOnce(server, request)
    const answer = ready ?? (await boundedAnswer(server, request, options))
    return answer.length <= MOST_BYTES ? answer : encodeRefusal({ code: TOO_LARGE, message: 'answer is too large' })
  } catch (error) {
    return refusal(error, name, () => options.onFault?.(name, error))
  }
}
