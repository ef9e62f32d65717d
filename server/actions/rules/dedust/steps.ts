// The way a swap on DeDust is to take: pools one behind another.

import { dedustStep } from '../../../bodies/index.ts'
import { openCell, orNull, type Slice } from '../../../cell/index.ts'
import type { AccountsFacts } from '../../input.ts'
import { fieldsOf } from '../../reading.ts'

const MOST_STEPS = 64

const readStep = fieldsOf(dedustStep, 'pool', 'next')

/** A step behind another. */
function readPools(first: Slice): string[] {
  const pools: string[] = []
  for (let at: Slice | null = first; at !== null && pools.length < MOST_STEPS; ) {
    const { pool, next } = readStep(at)
    pools.push(pool ?? '')
    at = next === null ? null : openCell(next)
  }
  return pools
}

/** Behind the operation of a swap of TON, or of a payload. */
export const poolsOf = (step: Slice): string[] => orNull(() => readPools(step)) ?? []

/** The asset that a route of pools ends with, from the asset it begins with; null when a pool is unknown. */
export function wantedAsset(
  assetIn: string | null,
  pools: readonly string[],
  facts: AccountsFacts,
): { asset: string | null } | null {
  let asset = assetIn
  for (const pool of pools) {
    const assets = facts.get(pool)?.dedustPool?.assets
    if (assets === undefined || !assets.includes(asset)) return null
    asset = assets.find((other) => other !== asset) ?? null
  }
  return pools.length === 0 ? null : { asset }
}
