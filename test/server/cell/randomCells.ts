// Random trees of cells, made twice: once by our builder and once by @ton/core's.

import { beginCell as beginCore, type Cell as CoreCell } from '@ton/core'
import fc from 'fast-check'
import { beginCell, type Cell } from '../../../server/cell/index.ts'

export interface Twins {
  readonly ours: Cell
  readonly core: CoreCell
}

interface Plan {
  readonly bytes: Uint8Array
  readonly spare: number
  readonly refs: readonly number[]
}

const plan = (maxBytes: number): fc.Arbitrary<Plan> =>
  fc.record({
    bytes: fc.uint8Array({ maxLength: maxBytes }),
    spare: fc.nat(7),
    refs: fc.array(fc.nat(), { maxLength: 4 }),
  })

function build(plans: readonly Plan[]): Twins {
  const made: Twins[] = []
  for (const { bytes, spare, refs } of plans) {
    const bits = Math.max(0, bytes.length * 8 - spare)
    const ours = beginCell().storeRange(bytes, 0, bits)
    const core = beginCore()
    for (let i = 0; i < bits; i++) core.storeBit(((bytes[i >> 3] ?? 0) & (128 >> (i & 7))) !== 0)
    for (const ref of made.length === 0 ? [] : refs) {
      // Mostly late cells, so that trees get deep and share parts.
      const twin = made[made.length - 1 - (ref % Math.min(3, made.length))]
      if (!twin) continue
      ours.storeRef(twin.ours)
      core.storeRef(twin.core)
    }
    made.push({ ours: ours.end(), core: core.endCell() })
  }
  const last = made.at(-1)
  return last ?? { ours: beginCell().end(), core: beginCore().endCell() }
}

/** A tree with shared subtrees. */
export const cellTwins = (maxCells = 12, maxBytes = 127): fc.Arbitrary<Twins> =>
  fc.array(plan(maxBytes), { minLength: 1, maxLength: maxCells }).map(build)
