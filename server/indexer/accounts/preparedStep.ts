import type { ChainStep } from '../chain/chainStep.ts'
import type { AccountRows } from './accountBook.ts'

/** A step with its accounts: all that can be known of it without the steps before. */
export interface PreparedStep {
  readonly step: ChainStep
  readonly accounts: AccountRows
  /** Accounts the chain was born with, when the index begins with this step. */
  readonly born: AccountRows | null
}
