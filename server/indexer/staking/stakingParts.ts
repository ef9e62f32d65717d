import type { Chain } from '../../node/index.ts'
import type { Database } from '../../store/index.ts'
import type { AssetBookParts } from '../assets/assetBook.ts'
import type { Asking } from '../chain/asking.ts'

/** What is read for staking, and by what means. */
export interface StakingParts extends Asking {
  readonly chain: Pick<Chain, 'account' | 'config'>
  readonly database: Pick<Database, 'transaction'>
  /** Null when no get-methods are run. */
  readonly assets: AssetBookParts | null
}
