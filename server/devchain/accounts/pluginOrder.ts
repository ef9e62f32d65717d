// Plugin operations of wallet v4, sent in place of messages.

import type { Builder, Cell } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import { type Deployment, stateInit } from '../contracts/index.ts'

export type PluginOrder =
  | { readonly kind: 'install'; readonly plugin: Deployment; readonly value: bigint; readonly body: Cell }
  | { readonly kind: 'remove'; readonly plugin: AccountId; readonly value: bigint; readonly queryId: bigint }

const DEPLOY_AND_INSTALL = 1
const REMOVE = 3

/** Behind the number of the request. */
export function storePluginOrder(builder: Builder, order: PluginOrder): Builder {
  if (order.kind === 'install') {
    const { plugin, value, body } = order
    const head = builder.storeUint(DEPLOY_AND_INSTALL, 8).storeInt(plugin.address.workchain, 8).storeCoins(value)
    return head.storeRef(stateInit(plugin)).storeRef(body)
  }
  const { workchain, hash } = order.plugin
  const head = builder.storeUint(REMOVE, 8).storeInt(workchain, 8).storeBytes(hash)
  return head.storeCoins(order.value).storeUint(order.queryId, 64)
}
