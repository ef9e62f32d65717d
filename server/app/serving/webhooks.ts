// Webhooks over the index of the service: where callers change them, and their delivery.

import { type KeyRights, type KeyStore, keyState } from '../../access/index.ts'
import { RunSettings } from '../../contracts/index.ts'
import { parseJson } from '../../http/index.ts'
import { createLiveBooks, LiveTraces } from '../../methods/index.ts'
import type { Log } from '../../observe/index.ts'
import { filePlan } from '../../process/index.ts'
import type { Database } from '../../store/index.ts'
import { BlockNotices } from '../../streaming/index.ts'
import {
  boundedPost,
  createPost,
  createWebhooksService,
  Deliverer,
  type WebhooksService,
} from '../../webhooks/index.ts'
import type { ChainService } from '../chain/chainService.ts'
import type { IndexService } from '../database/indexService.ts'
import type { Config } from '../settings/settings.ts'

export interface WebhookParts {
  readonly side: ChainService
  readonly index: IndexService
  readonly keys: Pick<KeyStore, 'known'>
  readonly config: Pick<Config, 'webhookPrivate' | 'network' | 'role'>
  readonly jsonDepth: number
  readonly log: Log
  /** Milliseconds that an endpoint has for its answer. */
  readonly answerMs?: number | undefined
}

export interface Webhooks {
  readonly serve: WebhooksService
  close(): Promise<void>
}

export function openWebhooks({ side, index, keys, config, jsonDepth, log, answerMs }: WebhookParts): Webhooks {
  const { chain, pool } = side
  const { store, feed, database } = index
  const notices = new BlockNotices({
    store,
    log,
    traces: new LiveTraces({ chain, pool, store, settings: new RunSettings(chain) }),
    books: createLiveBooks({ store, testOnly: config.network !== 'mainnet' }),
  })
  const rules = { allowsPrivate: config.webhookPrivate }
  const posting = createPost({ ...rules, ...(answerMs === undefined ? {} : { answerMs }) })
  const post = boundedPost(posting, filePlan().attempts)
  async function holders(): Promise<ReadonlyMap<string, KeyRights>> {
    const now = Date.now()
    const active = new Map<string, KeyRights>()
    for (const key of await keys.known()) if (keyState(key, now) === 'active') active.set(key.id, key)
    return active
  }
  const deliverer =
    config.role === 'api'
      ? null
      : new Deliverer({
          feed,
          database,
          notices,
          post,
          log,
          holders,
          canRewind: chain.traits.canRewind,
          isOurs: () => index.leads(),
        })
  // A new webhook gets what comes after the newest block, so there has to be one.
  const begun: Pick<Database, 'transaction'> = {
    async transaction(work, options) {
      await index.begun().catch(() => undefined)
      return await database.transaction(work, options)
    },
  }
  return {
    serve: createWebhooksService({
      database: begun,
      feed,
      notices,
      post,
      rules,
      parse: (text) => parseJson(text, jsonDepth),
      changed: (id) => deliverer?.changed(id),
    }),
    close: async () => await deliverer?.close(),
  }
}
