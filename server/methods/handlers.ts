// The handlers of all methods. What a group needs of the other rooms is in its factory's parameters.

import type { chainRegistry } from '../../shared/registry.ts'
import { RunSettings } from '../contracts/index.ts'
import type { Chain } from '../node/index.ts'
import type { NewestTransactions, Sql } from '../store/index.ts'
import type { TvmShares } from '../tvm/index.ts'
import type { AbiBook } from './abi/abiBook.ts'
import type { Call, WritingHandlers } from './call.ts'
import { devHandlers } from './dev/dev.ts'
import type { Controlled } from './dev/devControl.ts'
import { followedRevert } from './dev/followedRevert.ts'
import { indexedSoon } from './dev/indexedSoon.ts'
import { createFollowedSending, type MessageExchange } from './followedSending.ts'
import type { ReachedIndex } from './indexReach.ts'
import type { IndexProgress } from './indexView.ts'
import { accountHandlers } from './v2/accounts.ts'
import { addressHandlers } from './v2/addresses.ts'
import { blockHandlers } from './v2/blocks.ts'
import { configurationHandlers } from './v2/configuration.ts'
import { dnsHandlers } from './v2/dns.ts'
import { runningHandlers } from './v2/running.ts'
import { tokenHandlers } from './v2/tokens.ts'
import { transactionHandlers } from './v2/transactions.ts'
import { indexedHandlers } from './v3/indexed.ts'
import { Written } from './written.ts'

export interface Needs {
  readonly chain: Chain
  /** Where contracts run. */
  readonly pool: TvmShares
  /** Where indexed rows are read. */
  readonly store: Sql
  /** How far the index is. */
  readonly index: IndexProgress & ReachedIndex
  /** Transactions this process has written last to the index, if it writes. */
  readonly newest?: NewestTransactions | undefined
  /** Names and descriptions of contracts that were given. */
  readonly abis?: AbiBook | undefined
  /** Aborted when the service stops. */
  readonly stopping?: AbortSignal | undefined
  /** Left out where no other process shares its messages. */
  readonly exchange?: MessageExchange | undefined
  /** Milliseconds that calls wait for an index that follows a revert. */
  readonly followMs?: number | undefined
  /** Milliseconds for the emulation of all pending messages. */
  readonly emulationMs?: number | undefined
  /** True for test networks, which friendly addresses are marked with. */
  readonly testOnly: boolean
  /** The OpenRPC document, as JSON text. */
  readonly discover: () => Promise<string>
}

/** The method that any service has. */
export const discoveryHandlers = (
  discover: Needs['discover'],
): WritingHandlers<Pick<typeof chainRegistry, 'rpc.discover'>> => ({
  'rpc.discover': async () => new Written(await discover()),
})

/** Methods of any chain. */
export function createHandlers({
  chain,
  pool,
  store,
  index,
  newest,
  abis,
  stopping,
  exchange,
  followMs,
  emulationMs,
  testOnly,
  discover,
}: Needs): WritingHandlers<typeof chainRegistry> {
  const settings = new RunSettings(chain)
  const followed = createFollowedSending({
    chain,
    pool,
    settings,
    store,
    index,
    stopping,
    exchange,
    followMs,
    emulationMs,
  })
  return {
    ...discoveryHandlers(discover),
    ...accountHandlers(chain),
    ...tokenHandlers({ chain, pool, settings }),
    ...dnsHandlers({ chain, pool, settings }),
    ...blockHandlers(chain),
    ...configurationHandlers(chain),
    ...runningHandlers(chain, pool, settings),
    ...followed.messages,
    ...followed.sending,
    ...transactionHandlers(chain),
    ...addressHandlers,
    ...indexedHandlers({ chain, pool, settings, store, index, newest, abis, testOnly, followMs, ...followed }),
  }
}

/** The same and the controls of the embedded chain. */
export function createDevHandlers(needs: Needs & Controlled): WritingHandlers {
  const handlers = createHandlers(needs)
  const send = async (boc: Uint8Array, call: Call) => await handlers.sendBocReturnHash({ boc }, call)
  return {
    ...handlers,
    ...devHandlers({ ...needs, send, followed: followedRevert(needs), indexed: indexedSoon(needs) }),
  }
}
