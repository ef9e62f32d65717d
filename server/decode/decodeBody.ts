// Decodes the body of a message. Whatever it holds, the result is a record or null, within bounds.

import { type Cell, CellError, openCell, type Slice, writeBocText } from '../cell/index.ts'
import { COST, DecodeBudget, TooMuch } from './decodeBudget.ts'
import { readOutList } from './decodeMessages.ts'
import { bitsText, uintText } from './leafReaders.ts'
import { type Scheme, schemesOf } from './schemes/index.ts'
import type { Decoded, DecodedRecord, Within } from './value.ts'
import { readInnerRequest, readSigned } from './walletRequests.ts'

const isRecord = (value: Decoded): value is DecodedRecord => typeof value === 'object' && !Array.isArray(value)

const inner = (slice: Slice, within: Within): DecodedRecord => {
  const request = readInnerRequest(slice, within)
  if (!isRecord(request)) throw new CellError('value', 'no request')
  return request
}

const signedRequest = (name: string): Scheme => ({
  name,
  read: (slice, within) => ({
    wallet_id: uintText(slice, 32),
    valid_until: uintText(slice, 32),
    msg_seqno: uintText(slice, 32),
    ...inner(slice, within),
    signature: bitsText(slice.loadBits(512)),
  }),
})

/** Requests to wallets whose parts lie too far apart for a line of the table. */
const WALLET_REQUESTS: ReadonlyMap<number, Scheme> = new Map([
  [0x7369676e, signedRequest('w5_external_signed_request')],
  [0x73696e74, signedRequest('w5_internal_signed_request')],
  [
    0x6578746e,
    {
      name: 'w5_extension_action_request',
      read: (slice, within) => ({ query_id: uintText(slice, 64), ...inner(slice, within) }),
    },
  ],
  [
    0xae42e5a4,
    {
      name: 'highload_v3_internal_request',
      read: (slice, within) => ({
        query_id: uintText(slice, 64),
        actions: readOutList(openCell(slice.loadRef()), within),
      }),
    },
  ],
])

/** Depth to which bodies inside bodies are decoded; deeper ones stay bags of cells. */
const MOST_DEPTH = 10
const OPERATION_BITS = 32

const knownAs = (operation: number): readonly Scheme[] => {
  const request = WALLET_REQUESTS.get(operation)
  return request === undefined ? schemesOf(operation) : [request]
}

class Decoding {
  readonly #budget: DecodeBudget
  readonly #mostDepth: number

  constructor(budget: DecodeBudget, mostDepth: number) {
    this.#budget = budget
    this.#mostDepth = mostDepth
  }

  body(cell: Cell, depth: number): DecodedRecord | null {
    this.#budget.spend(COST.body)
    if (cell.isExotic) return null
    if (cell.bits === 0 && cell.refs.length === 0) return { '@type': 'empty_cell' }
    if (cell.bits < OPERATION_BITS) return null
    const nested = (one: Cell): Decoded => this.#nested(one, depth + 1)
    const within: Within = { nested, bag: (one) => this.#bag(one), budget: this.#budget }
    const operation = openCell(cell).preloadUint(OPERATION_BITS)
    const known = knownAs(operation)
    return known.length > 0 ? readKnown(cell, known, within) : readSigned(cell, within)
  }

  #nested(cell: Cell, depth: number): Decoded {
    const decoded = depth > this.#mostDepth ? null : this.body(cell, depth)
    return decoded ?? this.#bag(cell)
  }

  #bag(cell: Cell): string {
    this.#spendBag(cell)
    const text = writeBocText(cell)
    this.#budget.spendText(text.length)
    return text
  }

  /** Before the bag is written, since that takes as long as it is large. */
  #spendBag(root: Cell): void {
    const seen = new Set([root])
    for (const cell of seen) {
      this.#budget.spend(COST.cell)
      for (const ref of cell.refs) seen.add(ref)
    }
  }
}

/** By the first scheme that reads all of the cell; by the first that fits when each leaves something. */
function readKnown(cell: Cell, known: readonly Scheme[], within: Within): DecodedRecord | null {
  let partial: DecodedRecord | null = null
  for (const { name, isLooser = false, read } of known) {
    if (isLooser && partial !== null) continue
    const slice = openCell(cell).skip(OPERATION_BITS)
    const record = attempt(() => read(slice, within))
    if (record === null) continue
    const named = { '@type': name, ...record }
    if (slice.isEmpty) return named
    partial ??= named
  }
  return partial
}

/** Null when the cell does not fit the scheme. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    // TextDecoder and our own table say so in these words.
    if (error instanceof CellError || error instanceof TypeError || error instanceof RangeError) return null
    throw error
  }
}

/** Errors of `work` have no stack: they say that a scheme does not fit, and to note where takes as long as to decode a body. */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** `beyond` is what a body comes to that says more than it should. */
function bounded<T>(read: () => T, beyond: () => T): T {
  try {
    return withoutStacks(read)
  } catch (error) {
    if (error instanceof TooMuch) return beyond()
    throw error
  }
}

/**
 * What a body says; null when nothing known fits, or when it says more than a body, or a whole request, should. Of one that
 * orders many messages the bodies of these stay bags of cells when they are too much, and so do dictionaries of very many entries.
 */
export function decodeBody(body: Cell, request: DecodeBudget | null = null): DecodedRecord | null {
  const outline = () => new Decoding(DecodeBudget.ofOutline(request), 0).body(body, 0)
  return bounded(
    () => new Decoding(DecodeBudget.ofBody(request), MOST_DEPTH).body(body, 0),
    () => bounded(outline, () => null),
  )
}

/** The name of an operation by its number, unsigned; null when it is not known. */
export function knownOperationName(operation: number): string | null {
  return knownAs(operation)[0]?.name ?? null
}

/** A comment at the top of a message, in the three spellings clients look for. */
export function withCommentFields(decoded: DecodedRecord | null): DecodedRecord | null {
  if (decoded?.['@type'] !== 'text_comment') return decoded
  const { text } = decoded
  return { '@type': 'text_comment', comment: text ?? '', type: 'text_comment' }
}
