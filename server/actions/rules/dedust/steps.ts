// The way a swap on DeDust is to take: pools one behind another.

import { type Cell, openCell, type Slice } from '../../../cell/index.ts'
import { orNull } from '../../../tlb/index.ts'
import { readAddress } from '../../reading.ts'

/** To the vault of TON. */
export const SWAP = 0xea06185d
/** To the vault of a jetton, as the payload of a transfer. */
export const JETTON_SWAP_PAYLOAD = 0xe3a0d482

const MOST_STEPS = 64

/** A step behind another: the pool, a kind, a limit, and where to go from there. */
function readPools(first: Slice): string[] {
  const pools: string[] = []
  for (let step: Slice | null = first; step !== null && pools.length < MOST_STEPS; ) {
    pools.push(readAddress(step) ?? '')
    step.skip(1).loadCoins()
    const next: Cell | null = step.loadMaybeRef()
    step = next === null ? null : openCell(next)
  }
  return pools
}

/** Behind the operation of a swap of TON, or of a payload. */
export const poolsOf = (step: Slice): string[] => orNull(() => readPools(step)) ?? []
