// Messages that external requests to wallets order: Telegram's wallet, versions 3, 4 and 5.

import { walletRequests } from '../bodies/index.ts'
import { type Cell, CellError, openCell, type Slice } from '../cell/index.ts'
import { loadRelaxedMessage } from '../tlb/index.ts'
import { addressText, currenciesText, fieldsOf } from './reading.ts'

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

const readSend = fieldsOf(walletRequests.send, 'message')

/** A mode and a message each, to the end. */
function readSends(slice: Slice): Cell[] {
  const messages: Cell[] = []
  while (!slice.isEmpty) messages.push(readSend(slice).message)
  return messages
}

const readV3Request = fieldsOf(walletRequests.v3, 'sends')
const readV3: Reader = (slice) => readSends(readV3Request(slice).sends)

const readV4Request = fieldsOf(walletRequests.v4, 'operation', 'sends')

const readV4: Reader = (slice) => {
  const { operation, sends } = readV4Request(slice)
  if (operation !== 0) throw new CellError('value', 'no order to send')
  return readSends(sends)
}

const SEND_ONE = 0x63896e75
const SEND_MANY = 0x73896e75

const readTelegramRequest = fieldsOf(walletRequests.telegram, 'operation', 'sends')
const readMany = fieldsOf(walletRequests.telegramMany)
const readChunk = fieldsOf(walletRequests.telegramChunk)

function readChunks(slice: Slice): Cell[] {
  const { count, first } = readMany(slice)
  const messages: Cell[] = []
  for (let at = first; at !== null; ) {
    const { next, sends } = readChunk(openCell(at))
    at = next
    messages.push(...readSends(sends))
    if (messages.length > count) break
  }
  if (messages.length !== count) throw new CellError('value', 'another number of messages than is said')
  return messages
}

const readTelegram: Reader = (slice) => {
  const { operation, sends } = readTelegramRequest(slice)
  if (operation === SEND_ONE) return readSends(sends)
  if (operation === SEND_MANY) return readChunks(sends)
  throw new CellError('value', 'no order of this wallet')
}

const MOST_ACTIONS = 255

const readV5Request = fieldsOf(walletRequests.v5)
const readV5Send = fieldsOf(walletRequests.v5Send)

const readV5: Reader = (slice) => {
  if (!walletRequests.v5.begins(slice)) throw new CellError('value', 'no order of this wallet')
  const { actions } = readV5Request(slice)
  const messages: Cell[] = []
  // The list is linked backwards: its head is the last action.
  for (let at = actions === null ? null : openCell(actions); at !== null && !at.isEmpty; ) {
    if (messages.length === MOST_ACTIONS) throw new CellError('value', 'too many actions')
    if (!walletRequests.v5Send.begins(at)) throw new CellError('value', 'no action that sends')
    const { before, message } = readV5Send(at)
    messages.push(message)
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

/** The messages a request orders; none for an unknown request or one out of proportion. */
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
