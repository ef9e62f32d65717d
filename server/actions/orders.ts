// Messages that external requests to wallets order: Telegram's wallet, versions 3, 4 and 5.

import { type Cell, CellError, openCell, type Slice } from '../cell/index.ts'
import { loadRelaxedMessage } from '../tlb/index.ts'
import { addressText, currenciesText } from './reading.ts'

export interface OrderedMessage {
  readonly message: Cell
  /** Position in the request: distinguishes equal messages. */
  readonly index: number
  readonly opcode: number | null
  readonly value: bigint | null
  readonly destination: string | null
  readonly extraCurrencies: Readonly<Record<string, string>>
  readonly bounce: boolean
  readonly body: Slice
}

type Reader = (slice: Slice) => Cell[]

const SIGNATURE = 512
/** Subwallet, validity, number. */
const HEAD = 96

/** A mode and a message each, to the end. */
function readSends(slice: Slice): Cell[] {
  const messages: Cell[] = []
  while (!slice.isEmpty) {
    slice.skip(8)
    messages.push(slice.loadRef())
  }
  return messages
}

const readV3: Reader = (slice) => readSends(slice.skip(SIGNATURE + HEAD))

const readV4: Reader = (slice) => {
  if (slice.skip(SIGNATURE + HEAD).loadUint(8) !== 0) throw new CellError('value', 'no order to send')
  return readSends(slice)
}

const SEND_ONE = 0x63896e75
const SEND_MANY = 0x73896e75

/** Chunks of messages, each chunk with the next one in its first reference if there is one. */
function readChunks(slice: Slice): Cell[] {
  const count = slice.loadUint(8)
  const messages: Cell[] = []
  for (let next = slice.loadMaybeRef(); next !== null; ) {
    const chunk = openCell(next)
    next = chunk.loadMaybeRef()
    messages.push(...readSends(chunk))
    if (messages.length > count) break
  }
  if (messages.length !== count) throw new CellError('value', 'another number of messages than is said')
  return messages
}

/** Wallets of Telegram. */
const readTelegram: Reader = (slice) => {
  const operation = slice.skip(SIGNATURE).loadUint(32)
  slice.skip(HEAD)
  if (operation === SEND_ONE) return readSends(slice)
  if (operation === SEND_MANY) return readChunks(slice)
  throw new CellError('value', 'no order of this wallet')
}

const SIGNED_EXTERNAL = 0x7369676e
const SEND = 0x0ec3c86d
const MOST_ACTIONS = 255

const readV5: Reader = (slice) => {
  if (slice.loadUint(32) !== SIGNED_EXTERNAL) throw new CellError('value', 'no order of this wallet')
  const list = slice.skip(HEAD).loadMaybeRef()
  const messages: Cell[] = []
  // The list is linked backwards: its head is the last action.
  for (let at = list === null ? null : openCell(list); at !== null && !at.isEmpty; ) {
    if (messages.length === MOST_ACTIONS) throw new CellError('value', 'too many actions')
    const before = at.loadRef()
    if (at.loadUint(32) !== SEND) throw new CellError('value', 'no action that sends')
    at.skip(8)
    messages.push(at.loadRef())
    at = openCell(before)
  }
  return messages
}

function read(message: Cell, index: number): OrderedMessage {
  const { info, body } = loadRelaxedMessage(openCell(message))
  const slice = openCell(body)
  const opcode = slice.remainingBits < 32 ? null : slice.preloadUint(32)
  const common = { message, index, opcode, body: slice }
  if (info.kind !== 'internal') return { value: null, destination: null, extraCurrencies: {}, bounce: false, ...common }
  const { value, dest, bounce } = info
  const extraCurrencies = currenciesText(value.other)
  return { value: value.grams, destination: addressText(dest), extraCurrencies, bounce, ...common }
}

/** Cells of all messages of a request, as many as a node lets a message have. */
const MOST_CELLS = 8192

/** Messages may share cells, so that a small request orders more than it holds; each is returned with its payload. */
function checkSize(messages: readonly Cell[]): void {
  let count = 0
  for (const message of messages) {
    const seen = new Set([message])
    for (const cell of seen) {
      if (++count > MOST_CELLS) throw new CellError('value', `messages of over ${MOST_CELLS} cells`)
      for (const ref of cell.refs) seen.add(ref)
    }
  }
}

/** The messages a request orders; none when it is none that is known, or out of proportion. */
export function orderedMessages(body: Cell): OrderedMessage[] {
  for (const reader of [readTelegram, readV3, readV4, readV5])
    try {
      const messages = reader(openCell(body))
      checkSize(messages)
      return messages.map(read)
    } catch (error) {
      if (!(error instanceof CellError)) throw error
    }
  return []
}
