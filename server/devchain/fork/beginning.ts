// What a chain is, by its records and what was asked for: one of its own, a new fork, or one that goes on.

import { join } from 'node:path'
import type { Chain } from '../../node/index.ts'
import type { ForkBlock } from '../journal/index.ts'
import type { Warn } from '../warn.ts'
import { ForkedAccounts } from './forkedAccounts.ts'
import { ForkedNetwork } from './forkedNetwork.ts'
import { ForkRefused, type ForkStart, readForkStart } from './forkPoint.ts'
import type { Imports } from './imports.ts'
import { keptCells, NOT_KEPT, removeKeptDrafts } from './keptCells.ts'

export interface ForkOptions {
  /** The chain of the network; rejects while it cannot be read. */
  readonly chain: () => Promise<Chain>
  /** The same for a new fork, which waits for its newest block; by default like `chain`. */
  readonly begin?: () => Promise<Chain>
  /** Masterchain block where a new chain begins; by default the newest. */
  readonly seqno?: number | null
  /** Folder for what was read; by default nothing is kept. */
  readonly folder?: string
}

/** What the records say. */
interface Recorded {
  readonly fork: ForkBlock | null
  readonly imports: Imports
}

export interface Beginning {
  readonly fork: ForkedAccounts
  /** Of a new one. */
  readonly start: ForkStart | null
}

/** What was read at another block is not of this fork. */
const nameOf = ({ block }: ForkBlock): string =>
  `${block.seqno}-${Buffer.from(block.rootHash).toString('hex').slice(0, 16)}`

/** Rejects with ForkRefused, and as the network does whose block a new fork has to read. */
export async function beginFork(
  { fork: recorded, imports }: Recorded,
  { chain, begin = chain, seqno = null, folder }: ForkOptions,
  warn: Warn,
): Promise<Beginning> {
  if (recorded !== null && seqno !== null && seqno !== recorded.block.seqno)
    throw new ForkRefused(`the chain of this folder was forked at block ${recorded.block.seqno}, not at ${seqno}`)
  const start = recorded === null ? await readForkStart(await begin(), seqno) : null
  if (start !== null && start.unreadable.length > 0)
    warn('Parameters of the forked network cannot be read: the chain has those of a devnet', {
      parameters: start.unreadable,
    })
  const point = recorded ?? start?.point
  if (point === undefined) throw new Error('A fork without a block')
  if (folder !== undefined) await removeKeptDrafts(folder)
  const kept = folder === undefined ? NOT_KEPT : keptCells(join(folder, nameOf(point)))
  const network = new ForkedNetwork({ point, chain, kept, warn })
  return { fork: new ForkedAccounts({ network, imports, warn }), start }
}
