// Most get-methods read neither the configuration nor the previous blocks, and handing them over takes several times as long as a
// small run. A run is made without them first. The emulator names each instruction it executes in its log, so a run that came
// near what was left out is known, and made again with it.

import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { GetMethodRun } from './tvmRuns.ts'
import { defaultGasLimit } from './tvmRuns.ts'

/** What a run read, or may have read, of what runs are made without at first. */
export type Reads = 'nothing' | 'config' | 'blocks'

/** Ways to all there is of the network: a parameter by its number, and c7, by itself or in a continuation. */
const ALL = String.raw`GETPARAM|GETGLOBVAR|PUSHCTRX|PUSH c7|SETCONTCTRMANY|SAVE\w*CTR c7|POPSAVE c7`
/** The only ways to the previous blocks: instructions of their own, and those. */
const BLOCKS = new RegExp(`execute (?:PREV|${ALL})`)
/** The other ways to the configuration. */
const CONFIG = /execute (?:CONFIG|UNPACKEDCONFIG|GLOBALID|GETPRECOMPILEDGAS|SENDMSG|GET\w*FEE)/

/** The ways to a parameter as a cell. */
const CELLS = new RegExp(`execute (?:CONFIG|${ALL})`)
/** The ways to tell one cell from another without opening it as usual: by hash, depth and size, also that of a message it is in. */
const MEASURES = /execute (?:HASH[CSB]U|CHASHI|[CSB]DEPTH|CDEPTHI|[CS]DATASIZE|SENDMSG|XCTOS|XLOAD|RUNVM)/

/** Whether a run, by its log, may have told a parameter from what stood in its place. */
export const mayTellCells = (log: string): boolean => MEASURES.test(log) && CELLS.test(log)

/** What a run has read, by its log: `blocks` includes the configuration, which it may have read too. */
export function readsInLog(log: string): Reads {
  if (BLOCKS.test(log)) return 'blocks'
  return CONFIG.test(log) ? 'config' : 'nothing'
}

/** Methods that read, which are not run twice again. */
const MOST_KNOWN = 512

export class KnownReads {
  readonly #known = new LRUCache<string, Reads>({ max: MOST_KNOWN })

  of(run: GetMethodRun): Reads {
    return this.#known.size === 0 ? 'nothing' : (this.#known.get(keyOf(run)) ?? 'nothing')
  }

  remember(run: GetMethodRun, reads: Reads): void {
    this.#known.set(keyOf(run), reads)
  }
}

const keyOf = ({ code, methodId }: GetMethodRun): string =>
  `${methodId} ${createHash('sha256').update(code).digest('base64')}`

/** A run that may take long is made once only. */
export const mayBeLean = ({ fullConfig, gasLimit }: GetMethodRun): boolean =>
  fullConfig !== true && (gasLimit ?? defaultGasLimit) <= defaultGasLimit
