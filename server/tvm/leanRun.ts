// Most get-methods read neither the configuration nor the previous blocks, and handing them over takes several times as long as a
// small run. A run is made without them first. The emulator names each instruction it executes in its log, so a run that came
// near what was left out is known, and made again with it.

import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { GetMethodRun } from './tvmRuns.ts'
import { defaultGasLimit } from './tvmRuns.ts'

/** What a run read, or may have read, of what runs are made without at first. */
export type Reads = 'nothing' | 'config' | 'blocks'

/** The only ways to the previous blocks: instructions of their own, a parameter by its number, and c7, by itself or in a continuation. */
const BLOCKS = /execute (?:PREV|GETPARAM|GETGLOBVAR|PUSHCTRX|PUSH c7|SETCONTCTRMANY|SAVE\w*CTR c7|POPSAVE c7)/
/** The ways to the configuration besides the last three. */
const CONFIG = /execute (?:CONFIG|UNPACKEDCONFIG|GLOBALID|GETPRECOMPILEDGAS|SENDMSG|GET\w*FEE)/

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
