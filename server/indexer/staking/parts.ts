import type { Chain } from '../../node/index.ts'
import type { Database } from '../../store/index.ts'
import type { AssetBookParts } from '../assets/assetBook.ts'
import type { Lanes } from '../chain/lanes.ts'

/** What is read for staking, and by what means. */
export interface StakingParts {
  readonly chain: Pick<Chain, 'account' | 'config'>
  readonly database: Pick<Database, 'transaction'>
  readonly lanes: Lanes
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Null when no get-methods are run. */
  readonly assets: AssetBookParts | null
}
