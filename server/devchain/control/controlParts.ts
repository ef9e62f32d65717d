// The parts of a chain that the controls use, and the limits of calls.

import { AMOUNT_BITS } from '../../../shared/amountBits.ts'
import { type Cell, CellError, Dict } from '../../cell/index.ts'
import { libraryKind } from '../../tlb/index.ts'
import { createFaucet, type Faucet } from '../accounts/index.ts'
import type { ChangeQueue, GrowingChain } from '../chain/index.ts'
import type { AccountName } from '../collate/index.ts'
import type { ForkedAccounts } from '../fork/index.ts'
import type { Mempool } from '../mempool/index.ts'
import type { Miner } from '../mining/index.ts'
import { BASECHAIN, MASTERCHAIN } from '../state/index.ts'

export interface ControlParts {
  readonly chain: GrowingChain
  readonly pool: Mempool
  readonly miner: Miner
  /** Resolves when the messages that are being tried out now have been, and wait for a block. */
  readonly tried: () => Promise<void>
  readonly turns: ChangeQueue
  readonly send: (boc: Uint8Array) => Promise<unknown>
  /** Null for a chain of its own. */
  readonly fork: ForkedAccounts | null
}

export function checkWorkchain({ workchain, id }: AccountName): void {
  if (workchain !== MASTERCHAIN && workchain !== BASECHAIN) throw new RangeError(`There is no workchain ${workchain}`)
  if (id.length !== 32) throw new RangeError(`An account id has 32 bytes, not ${id.length}`)
}

const MAX_AMOUNT = (1n << BigInt(AMOUNT_BITS)) - 1n

export function checkAmount(amount: bigint): void {
  if (amount < 0n || amount > MAX_AMOUNT) throw new RangeError(`An amount is 0 to 2^${AMOUNT_BITS} - 1, not ${amount}`)
}

/** As deep as contracts themselves may make their data; the trees of the chain are above it. */
const MAX_TREE_DEPTH = 512

export function checkTree(tree: Cell | null | undefined): void {
  if (tree && tree.depth() > MAX_TREE_DEPTH)
    throw new RangeError(
      `Trees of cells in accounts and messages are up to ${MAX_TREE_DEPTH} deep, not ${tree.depth()}`,
    )
  if (tree && tree.level > 0) throw new RangeError('Pruned trees of cells cannot be part of accounts and messages')
}

/** The TVM delivers no message that brings anything else in their place: it would wait for ever. */
export function checkLibraries(library: Cell | null | undefined): void {
  if (library == null) return
  try {
    Array.from(new Dict(libraryKind, library))
  } catch (cause) {
    if (!(cause instanceof CellError)) throw cause
    throw new RangeError(`The libraries of a state init are a dictionary: ${cause.message}`, { cause })
  }
}

/** Its requests are valid from the time of the next block on. */
export const faucetOf = ({ chain }: ControlParts): Faucet => createFaucet({ now: () => chain.upcomingUtime })
