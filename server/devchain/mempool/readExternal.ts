// Parses untrusted bytes into an external message, or refuses them.

import { BocError, type Cell, CellError, inOnePiece, MAX_DEPTH, openCell, readingBoc } from '../../cell/index.ts'
import { configParam, loadMessage, type Message } from '../../tlb/index.ts'
import type { External } from '../collate/index.ts'
import { BASECHAIN, MASTERCHAIN, type MasterState } from '../state/index.ts'
import { type MessageRefused, type RefusalReason, refused } from './messageRefused.ts'

/** What messages from outside may be, as the network has it in parameter 43. */
export interface ExternalLimits {
  readonly maxBytes: number
  /** Those as deep as this are refused, too. */
  readonly maxDepth: number
}

const USUAL: ExternalLimits = { maxBytes: 65_535, maxDepth: 512 }
/** However large the network allows them: what all else that takes messages is made for. */
const MOST_BYTES = 65_535
/** More cells than fit the bytes there are. */
const MAX_CELLS = 32_768

export function externalLimitsOf({ extra }: Pick<MasterState, 'extra'>): ExternalLimits {
  const sizes = configParam(extra.config, 43)
  if (sizes === null) return USUAL
  return {
    maxBytes: Math.min(sizes.maxExternalMessageSize, MOST_BYTES),
    maxDepth: Math.min(sizes.maxExternalMessageDepth, MAX_DEPTH),
  }
}

const hexOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex').toUpperCase()
const notABag = (why: string, reason: RefusalReason = 'malformed'): MessageRefused =>
  refused(reason, `INVALID_BAG_OF_CELLS: body (${why})`)

function* readingRoot(boc: Uint8Array, { maxBytes }: ExternalLimits): Generator<void, Cell> {
  if (boc.length > maxBytes)
    throw refused('tooLarge', `external message too large, must be at most ${maxBytes} bytes, not ${boc.length}`)
  try {
    return yield* readingBoc(boc, { maxBytes, maxCells: MAX_CELLS, maxDepth: MAX_DEPTH })
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
export const readExternal = (boc: Uint8Array, limits: ExternalLimits = USUAL): ReadExternal =>
  inOnePiece(readingExternal(boc, limits))

/** The same in pieces: to read and hash the cells of the largest messages takes ten milliseconds. */
export function* readingExternal(boc: Uint8Array, limits: ExternalLimits): Generator<void, ReadExternal> {
  const root = yield* readingRoot(boc, limits)
  if (root.depth() >= limits.maxDepth)
    throw refused('tooDeep', `external message is too deep, its depth must be below ${limits.maxDepth}`)
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
