// Every method's code, gathered. What a group needs of the other rooms is in its factory's parameters.

import type { chainRegistry } from '../../shared/registry.ts'
import { RunSettings } from '../contracts/index.ts'
import type { LiteServer } from '../node/index.ts'
import type { NewestTransactions, Sql } from '../store/index.ts'
import type { TvmPool } from '../tvm/index.ts'
import type { Handlers, WritingHandlers } from './call.ts'
import { type Controlled, devHandlers } from './dev.ts'
import { createFollowedSending } from './pending/followedSending.ts'
import { accountHandlers } from './v2/accounts.ts'
import { addressHandlers } from './v2/addresses.ts'
import { blockHandlers } from './v2/blocks.ts'
import { configurationHandlers } from './v2/configuration.ts'
import { dnsHandlers } from './v2/dns.ts'
import { messageHandlers } from './v2/messages.ts'
import { runningHandlers } from './v2/running.ts'
import { tokenHandlers } from './v2/tokens.ts'
import { transactionHandlers } from './v2/transactions.ts'
import { indexedHandlers } from './v3/indexed.ts'

export interface Needs {
  readonly node: LiteServer
  /** Where contracts run. */
  readonly pool: TvmPool
  /** Where indexed rows are read. */
  readonly store: Sql
  /** What this process has written last into it, when it is known. */
  readonly newest?: NewestTransactions | undefined
  /** The network is one for tests: friendly forms of addresses say so. */
  readonly testOnly: boolean
  /** The OpenRPC document. */
  readonly discover: () => Awaited<ReturnType<Handlers['rpc.discover']>>
}

/** Methods of any chain. */
export function createHandlers({
  node,
  pool,
  store,
  newest,
  testOnly,
  discover,
}: Needs): WritingHandlers<typeof chainRegistry> {
  const settings = new RunSettings(node)
  const followed = createFollowedSending({ node, pool, settings, store })
  return {
    'rpc.discover': () => discover(),
    ...accountHandlers(node),
    ...tokenHandlers({ node, pool, settings }),
    ...dnsHandlers({ node, pool, settings }),
    ...blockHandlers(node),
    ...configurationHandlers(node),
    ...messageHandlers(node),
    ...runningHandlers(node, pool, settings),
    ...followed.sending,
    ...transactionHandlers(node),
    ...addressHandlers,
    ...indexedHandlers({ node, pool, settings, store, newest, testOnly, ...followed }),
  }
}

/** The same and the controls of the embedded chain. */
export const createDevHandlers = (needs: Needs & Controlled): WritingHandlers => ({
  ...createHandlers(needs),
  ...devHandlers(needs),
})
