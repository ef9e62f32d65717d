// A finished block with everything its chain keeps of it.

import type { Cell } from '../../cell/index.ts'
import type { CurrencyCollection } from '../../tlb/index.ts'
import type { BlockIdExt } from '../state/index.ts'

export interface SealedBlock {
  readonly id: BlockIdExt
  readonly root: Cell
  /** What the file hash is taken of. */
  readonly boc: Uint8Array
  /** Root of the state after the block. */
  readonly state: Cell
  readonly utime: number
  readonly startLt: bigint
  readonly endLt: bigint
  readonly minRefMcSeqno: number
  /** Public key of the validator. */
  readonly creator: Uint8Array
  readonly isKey: boolean
  readonly transactions: number
  readonly feesCollected: CurrencyCollection
  /** Block creation fees. */
  readonly fundsCreated: CurrencyCollection
  /** What was minted less the grams that were burned; these may be negative. */
  readonly conjured: CurrencyCollection
}
