// Both chains at one time: a masterchain state and the shard state it registers.

import type { ChainState, MasterState } from './chainState.ts'

export interface Moment {
  readonly master: MasterState
  readonly shard: ChainState
}
