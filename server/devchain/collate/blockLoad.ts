// How full a block is by the limits of the network: gas, logical time and bytes (parameters 22 and 23). Bytes are those of
// what the TVM returned and an allowance for the rest, close to what the public node counts.

import { type Cell, openCell } from '../../cell/index.ts'
import { type BlockLimits, configParam, loadDescription } from '../../tlb/index.ts'
import { MASTERCHAIN } from '../state/index.ts'
import type { BlockPlan } from './plan.ts'

/** Messages inside the network are taken up to the soft limit, those from outside up to the middle of it and the hard one. */
export type LoadClass = 'soft' | 'medium'

type Measure = 'bytes' | 'gas' | 'ltDelta'
const MEASURES: readonly Measure[] = ['bytes', 'gas', 'ltDelta']

/** Bytes of an empty block, and of a transaction besides its own cells: its account and its messages are shown in other places, too. */
const EMPTY_BYTES = 2000
const TRANSACTION_BYTES = 500

const bytesOfText = (characters: number): number => (characters * 3) >> 2

/** What a transaction adds. */
interface Added {
  readonly transaction: Cell
  /** Characters of it as the TVM returned it, and by how many the account has grown. */
  readonly text: number
  readonly growth: number
  readonly account: Uint8Array
}

export class BlockLoad {
  readonly #plan: BlockPlan
  /** Null for a block without them. */
  readonly #limits: BlockLimits | null
  /** They have a limit of their own, and their gas is not counted. */
  readonly #special: { has(account: Uint8Array): boolean } | null
  #gas = 0
  #bytes = EMPTY_BYTES

  constructor(plan: BlockPlan, isBounded: boolean) {
    const { workchain, master } = plan
    this.#plan = plan
    this.#special = workchain === MASTERCHAIN ? configParam(master.extra.config, 31) : null
    this.#limits = isBounded ? configParam(master.extra.config, workchain === MASTERCHAIN ? 22 : 23) : null
  }

  add({ transaction, text, growth, account }: Added): void {
    if (this.#limits === null) return
    this.#bytes += TRANSACTION_BYTES + bytesOfText(text) + Math.max(0, bytesOfText(growth))
    if (this.#special?.has(account) !== true) this.#gas += gasOf(transaction)
  }

  /** Whether more fits into a block that ends at this logical time. */
  fits(kind: LoadClass, endLt: bigint): boolean {
    const limits = this.#limits
    if (limits === null) return true
    const load = { bytes: this.#bytes, gas: this.#gas, ltDelta: Number(endLt - this.#plan.startLt) }
    return MEASURES.every((measure) => {
      const { soft, hard } = limits[measure]
      return load[measure] < (kind === 'soft' ? soft : soft + Math.floor((hard - soft) / 2))
    })
  }
}

/** Gas that a transaction used. */
export function gasOf({ refs }: Cell): number {
  const description = refs.at(-1)
  if (description === undefined) return 0
  const read = loadDescription(openCell(description))
  return 'compute' in read && read.compute.kind === 'vm' ? Number(read.compute.gasUsed) : 0
}
