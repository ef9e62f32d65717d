// What the service shares with other processes of its chain in a Redis: messages that wait for a block, and how far the index
// is. Without the Redis each process has its own, and looks by itself.

import type { ForeignMessage, MessageExchange, SentMessages } from '../methods/index.ts'
import type { Log, Metrics } from '../observe/index.ts'
import { SharedChain } from '../sharing/index.ts'
import type { ChainService } from './chain/chainService.ts'
import { genesisOf } from './chain/genesisOf.ts'
import type { IndexService } from './database/indexService.ts'
import { addressNow } from './settings/secretFiles.ts'
import type { Config } from './settings/settings.ts'

export interface Sharing {
  readonly exchange: MessageExchange
  /** For readiness: a service without its Redis is ready all the same. */
  readonly words: string
  measure(metrics: Metrics): void
  close(): Promise<void>
}

export interface SharingParts {
  readonly chain: ChainService['chain']
  readonly index: Pick<IndexService, 'view' | 'leads'>
  readonly sent: SentMessages
  readonly log: Log
}

/** Null without a Redis. */
export function openSharing(
  config: Pick<Config, 'redis' | 'redisFile'>,
  { chain, index, sent, log }: SharingParts,
): Sharing | null {
  if (config.redis === '') return null
  let take: (message: ForeignMessage) => boolean = () => false
  const address = addressNow(config, 'redis')
  const { host } = new URL(address())
  const shared = new SharedChain({
    address,
    lifetimeMs: chain.traits.messageLifetimeMs,
    genesis: (signal) => genesisOf(chain, signal),
    onMessage(message) {
      if (!take(message)) return false
      sent.sentElsewhere(message.boc, `shared:${message.caller}`)
      return true
    },
    onHead: (seqno) => index.view.lookSoon(seqno),
    onChange(trouble) {
      if (trouble === null) log.info({ redis: host }, 'redis is used again: pending messages and heads are shared')
      else log.warn({ redis: host, reason: trouble }, 'redis is not used: pending messages and heads are not shared')
    },
  })
  const forget = index.view.onIndexed((head) => {
    if (head !== null && index.leads()) shared.publishHead(head.seqno)
  })
  return {
    exchange: {
      publish: (boc, hashNorm, subject) => shared.publish(boc, hashNorm, subject),
      follow(taker) {
        take = taker
      },
    },
    get words() {
      const { trouble } = shared
      return trouble === null ? 'shared' : `not shared: ${trouble}`
    },
    measure(metrics) {
      metrics.gauge('tonrpc_redis_shares', 'Whether pending messages and heads are shared in the Redis.', () =>
        shared.trouble === null ? 1 : 0,
      )
      const help = 'Pending messages since the start: written to the Redis, too many to be written, taken, refused.'
      metrics.sums('tonrpc_shared_messages_total', { help, label: 'kind', isTotal: true }, () =>
        Object.entries(shared.counts),
      )
    },
    async close() {
      forget()
      await shared.close()
    },
  }
}
