import type { Chain } from '../../node/index.ts'
import type { Database } from '../../store/index.ts'
import type { AssetBookParts } from '../assets/assetBook.ts'
import type { Slots } from '../chain/slots.ts'

/** What is read for staking, and by what means. */
export interface StakingParts {
  readonly chain: Pick<Chain, 'account' | 'config'>
  readonly database: Pick<Database, 'transaction'>
  readonly lanes: Slots
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Null when no get-methods are run. */
  readonly assets: AssetBookParts | null
}
