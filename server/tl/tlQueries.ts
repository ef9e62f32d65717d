// Requests to lite servers and their answers, by the name of the function without `liteServer.`.

import { boxed, boxedOf, type TlCodec } from './codec.ts'
import { TlError } from './tlError.ts'
import { parseLine } from './tlGrammar.ts'
import { TlReader } from './tlReader.ts'
import { functionLines, refusalLines, wrapperLines } from './tlSchema.ts'
import type { Answers, Bare, FunctionName, Requests } from './tlValues.ts'
import { sizeOfBytes, Writer } from './writer.ts'

/** A request as read: the name gives the type of the value. */
export type TlRequest = {
  readonly [Name in FunctionName]: { readonly name: Name; readonly value: Requests[Name] }
}[FunctionName]

/** What came in place of an answer. */
export type TlRefusal = Bare['liteServer.error']

export type AnswerOrRefusal<Name extends FunctionName> =
  | { readonly answer: Answers[Name]; readonly refusal?: undefined }
  | { readonly answer?: undefined; readonly refusal: TlRefusal }

/** Answer only when the masterchain has come so far. */
export type Wait = Bare['liteServer.waitMasterchainSeqno']

export interface WrappedQuery {
  readonly wait: Wait | null
  /** For `decodeRequest`; not read yet, and empty in a query that does nothing but wait. */
  readonly request: Uint8Array
}

const PREFIX = 'liteServer.'

interface FunctionCodec {
  readonly name: FunctionName
  readonly request: TlCodec
  readonly answer: TlCodec
}

const byName = new Map<string, FunctionCodec>()
const byId = new Map<number, FunctionCodec>()
for (const line of functionLines.map(parseLine)) {
  // The cast: the names are those of the same lines.
  const name = line.name.slice(PREFIX.length) as FunctionName
  const codec = { name, request: boxed([line]), answer: boxedOf(line.result) }
  byName.set(name, codec)
  byId.set(line.id, codec)
}

const refusals = refusalLines.map(parseLine)
const refusalIds = new Set(refusals.map(({ id }) => id))
const refusalCodec = boxed(refusals)
const [prefixLine, queryLine, waitLine] = wrapperLines
const prefixId = parseLine(prefixLine).id
const queryId = parseLine(queryLine).id
const waitId = parseLine(waitLine).id
const waitCodec = boxed([parseLine(waitLine)])
/** Prefixes of requests: functions by the schema, which no server accepts where a request is expected. */
const wrapperCodecs = new Map(wrapperLines.map(parseLine).map((line) => [line.id, boxed([line])]))
/** Of the whole prefix. */
const WAIT_BYTES = 12

function codecOf(name: string): FunctionCodec {
  const codec = byName.get(name)
  if (codec === undefined) throw new TlError('value', `no function ${name}`)
  return codec
}

/** The id that bytes begin with, or null of fewer than four bytes. */
const idOf = (bytes: Uint8Array): number | null => (bytes.length < 4 ? null : new TlReader(bytes).uint())

function encoded(codec: TlCodec, value: unknown, size?: number): Uint8Array {
  const writer = new Writer(0, size)
  codec.write(writer, value)
  return writer.done()
}

/** The cast: `T` and the codec are made of the same lines of the schema. */
function decoded<T>(codec: TlCodec, bytes: Uint8Array): T {
  const reader = new TlReader(bytes)
  const value = codec.read(reader)
  reader.end()
  return value as T
}

/** Throws TlError `value` when the value does not fit the function. */
export const encodeRequest = <Name extends FunctionName>(name: Name, value: Requests[Name]): Uint8Array =>
  encoded(codecOf(name).request, value)

/** Throws TlError with the text that the public node answers such bytes with: as a refusal of code 0, of a `wrapper` 621. */
export function decodeRequest(bytes: Uint8Array): TlRequest {
  const reader = new TlReader(bytes)
  const id = reader.uint()
  const codec = byId.get(id)
  if (codec === undefined) {
    const wrapper = wrapperCodecs.get(id)
    if (wrapper === undefined) throw reader.unknown(id)
    decoded(wrapper, bytes)
    throw new TlError('wrapper', 'unknown query')
  }
  // The cast: a codec belongs to its name.
  return { name: codec.name, value: decoded(codec.request, bytes) } as TlRequest
}

/** Of ids and numbers, roughly: of an answer, and of a part in a list of it. */
const SMALL_FIELDS = 256
const SMALL_PART = 16

/** Near what an answer takes: with its proofs and data it is written without growing. */
export function sizeOfAnswer(value: object, small = SMALL_FIELDS): number {
  let size = small
  for (const field of Object.values(value)) {
    if (field instanceof Uint8Array) size += sizeOfBytes(field)
    else if (Array.isArray(field)) for (const part of field) size += sizeOfAnswer(part, SMALL_PART)
  }
  return size
}

/** Throws TlError `value` when the value does not fit the answer of the function. */
export const encodeAnswer = <Name extends FunctionName>(name: Name, value: Answers[Name]): Uint8Array =>
  encoded(codecOf(name).answer, value, sizeOfAnswer(value))

export const encodeRefusal = (refusal: TlRefusal): Uint8Array =>
  encoded(refusalCodec, { '@type': 'liteServer.error', ...refusal })

/** Throws TlError when the bytes are neither an answer of this function nor a refusal. */
export function decodeAnswer<Name extends FunctionName>(name: Name, bytes: Uint8Array): AnswerOrRefusal<Name> {
  const id = idOf(bytes)
  if (id !== null && refusalIds.has(id)) {
    const { code, message } = decoded<TlRefusal>(refusalCodec, bytes)
    return { refusal: { code, message } }
  }
  return { answer: decoded<Answers[Name]>(codecOf(name).answer, bytes) }
}

function waiting(wait: Wait, request: Uint8Array): Uint8Array {
  const data = new Writer()
  waitCodec.write(data, wait)
  data.raw(request)
  return data.done()
}

/** A request as it goes to a server; a wait without a request (of length 0) is answered when the wait ends. */
export function wrapQuery(request: Uint8Array, wait: Wait | null = null): Uint8Array {
  const query = new Writer()
  query.uint(queryId)
  query.bytes(wait === null ? request : waiting(wait, request))
  return query.done()
}

/** Throws TlError when it is no query to a lite server: the public node answers such bytes with silence. */
export function unwrapQuery(bytes: Uint8Array): WrappedQuery {
  const reader = new TlReader(bytes)
  const id = reader.uint()
  if (id !== queryId && id !== prefixId) throw reader.unknown(id)
  const data = id === queryId ? reader.bytes() : reader.rest()
  reader.end()
  if (data.length < WAIT_BYTES || idOf(data) !== waitId) return { wait: null, request: data }
  const wait = decoded<Wait>(waitCodec, data.subarray(0, WAIT_BYTES))
  return { wait, request: data.subarray(WAIT_BYTES) }
}
