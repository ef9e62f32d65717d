// Sending and what is known of what was sent, which belong together: a message is followed from the moment it was taken.

import type { sending } from '../../../shared/v2/sending.ts'
import type { RunSettings } from '../../contracts/index.ts'
import type { LiteServer } from '../../node/index.ts'
import type { Sql } from '../../store/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import type { Handlers } from '../call.ts'
import { sendingHandlers } from '../v2/sending.ts'
import { Mempool } from './mempool.ts'
import { PendingTraces } from './pendingTraces.ts'

/** How long a message is shown that no block takes. A developer's chain may stand still for as long as its owner likes. */
const MINED_MS = 30_000
const MINED_BY_HAND_MS = 600_000

export interface FollowedSendingNeeds {
  readonly node: LiteServer
  readonly pool: TvmPool
  readonly settings: RunSettings
  readonly store: Sql
}

export interface FollowedSending {
  readonly sending: Handlers<typeof sending>
  readonly pending: PendingTraces
}

export function createFollowedSending(needs: FollowedSendingNeeds): FollowedSending {
  const mempool = new Mempool({ lifetimeMs: needs.node.kind === 'devchain' ? MINED_BY_HAND_MS : MINED_MS })
  return {
    sending: sendingHandlers({ sent: (boc, { subject }) => mempool.add(boc, subject), ...needs }),
    pending: new PendingTraces({ mempool, ...needs }),
  }
}
