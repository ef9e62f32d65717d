// Delivery of webhooks without a chain: blocks with one event each, whose time a test chooses.

import { onTestFinished } from 'vitest'
import type { Database } from '../../../server/store/index.ts'
import type { BlockNotices } from '../../../server/streaming/index.ts'
import type { DelivererParts } from '../../../server/webhooks/deliverer.ts'
import { createWebhooksService, Deliverer } from '../../../server/webhooks/index.ts'
import type { Post } from '../../../server/webhooks/postWebhook.ts'
import { growingBlocks, waitingForAll } from './growingBlocks.ts'

export const wish = { endpoint: 'http://127.0.0.1:1/hook', subscription: { types: ['blocks'] } }

// The cast: parts of notices that are not asked for here.
const noticesOf = (hasEvent: (mcSeqno: number) => boolean) =>
  ({
    read: async () => ({ types: new Set(['blocks']), addresses: new Set() }),
    ofBlock: async ({ mcSeqno }: { mcSeqno: number }, _: unknown, after: number) => ({
      notices: after >= 1 || !hasEvent(mcSeqno) ? [] : [{ position: 1, text: `{"type":"${mcSeqno}"}` }],
      isAll: true,
    }),
    waiting: waitingForAll,
  }) as unknown as BlockNotices

/**
 * A service over blocks whose newest is 1 until `grow` is called, with an endpoint that fails until `mend` is. `delivers`: the
 * database of what delivers, where that is another one than the database of the interface.
 */
export function openDelivery(
  database: Pick<Database, 'transaction' | 'kind'>,
  delivers = database,
  warn: (text: unknown) => void = () => undefined,
  hasEvent: (mcSeqno: number) => boolean = () => true,
  lead: Partial<Pick<DelivererParts, 'isOurs' | 'pollMs'>> = {},
) {
  const { feed, grow } = growingBlocks(1)
  let status = 500
  const posts: string[] = []
  const post: Post = async ({ name }) => {
    posts.push(name)
    return { status, ms: 1, error: status === 200 ? '' : `answered ${status}` }
  }
  const parts = { feed, notices: noticesOf(hasEvent), post }
  const deliver = (): Deliverer => {
    const deliverer = new Deliverer({
      ...parts,
      database: delivers,
      canRewind: false,
      isOurs: () => true,
      ...lead,
      pauseAfter: () => 0,
      holders: async () => new Map(),
      log: { warn: (_: unknown, text?: unknown) => warn(text) },
    })
    onTestFinished(() => deliverer.close())
    return deliverer
  }
  let deliverer = deliver()
  const serve = createWebhooksService({
    ...parts,
    database,
    rules: { allowsPrivate: true },
    parse: (text: string): unknown => JSON.parse(text),
    changed: (id) => deliverer.changed(id),
  })
  const caller = { subject: 'own', keyId: null, tier: null }
  return {
    posts,
    async ask(verb: string, path: string, value?: unknown): Promise<Record<string, unknown>> {
      const body = value === undefined ? '' : JSON.stringify(value)
      const request = { verb, path, query: '', body, caller, mayControl: true }
      return JSON.parse((await serve(request, new AbortController().signal)).json)
    },
    grow,
    mend() {
      status = 200
    },
    async restart() {
      await deliverer.close()
      deliverer = deliver()
    },
  }
}
