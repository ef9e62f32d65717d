// Parses untrusted bytes into an external message, or refuses them.

import { BocError, type Cell, CellError, inOnePiece, MAX_DEPTH, openCell, readingBoc } from '../../cell/index.ts'
import { loadMessage, type Message } from '../../tlb/index.ts'
import type { External } from '../collate/index.ts'
import { BASECHAIN, MASTERCHAIN } from '../state/index.ts'
import { type MessageRefused, type RefusalReason, refused } from './messageRefused.ts'

const MAX_MESSAGE_BYTES = 65_535
const MAX_MESSAGE_DEPTH = 512
/** More cells than fit the bytes there are. */
const MAX_CELLS = 32_768

const hexOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex').toUpperCase()
const notABag = (why: string, reason: RefusalReason = 'malformed'): MessageRefused =>
  refused(reason, `INVALID_BAG_OF_CELLS: body (${why})`)

function* readingRoot(boc: Uint8Array): Generator<void, Cell> {
  if (boc.length > MAX_MESSAGE_BYTES)
    throw refused(
      'tooLarge',
      `external message too large, must be at most ${MAX_MESSAGE_BYTES} bytes, not ${boc.length}`,
    )
  try {
    return yield* readingBoc(boc, { maxBytes: MAX_MESSAGE_BYTES, maxCells: MAX_CELLS, maxDepth: MAX_DEPTH })
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    const code = error instanceof BocError ? error.code : 'cell'
    if (code === 'roots') throw notABag('it must have exactly one root')
    if (code === 'level') throw notABag('its root must have level zero')
    throw notABag(error.message, 'notABag')
  }
}

function readMessage(root: Cell): Message {
  try {
    const slice = openCell(root)
    return loadMessage(slice)
  } catch (error) {
    if (error instanceof CellError) throw refused('malformed', 'Failed to unpack Message')
    throw error
  }
}

export interface ReadExternal {
  readonly external: External
  readonly content: Message
}

/** Throws MessageRefused. */
export const readExternal = (boc: Uint8Array): ReadExternal => inOnePiece(readingExternal(boc))

/** The same in pieces: to read and hash the cells of the largest messages takes ten milliseconds. */
export function* readingExternal(boc: Uint8Array): Generator<void, ReadExternal> {
  const root = yield* readingRoot(boc)
  if (root.depth() >= MAX_MESSAGE_DEPTH)
    throw refused('tooDeep', `external message is too deep, its depth must be below ${MAX_MESSAGE_DEPTH}`)
  const content = readMessage(root)
  const { info } = content
  if (info.kind !== 'externalIn') throw refused('malformed', 'CommonMsgInfo tag is not ext_in_msg_info')
  const { dest } = info
  if (dest.kind !== 'std' || dest.anycast !== null)
    throw refused('malformed', 'destination of the message is not a standard address')
  if (dest.workchain !== MASTERCHAIN && dest.workchain !== BASECHAIN)
    throw refused('noShard', `no shard in masterchain state for account ${dest.workchain}:0x${hexOf(dest.hash)}`)
  // The TVM opens the body before it runs any code, and crashes when it is an exotic cell.
  if (content.body.isExotic) throw refused('malformed', 'no contract takes a message whose body is an exotic cell')
  const external = { message: root, boc: boc.slice(), workchain: dest.workchain, account: dest.hash }
  return { external, content }
}
