// Sending, and the list of pending messages: a message is followed from the moment the node accepted it.

import type { messagesV2 } from '../../shared/v2/messages.ts'
import type { sendingV2 } from '../../shared/v2/sending.ts'
import type { RunSettings } from '../contracts/index.ts'
import { type Chain, followReverts } from '../node/index.ts'
import type { Sql } from '../store/index.ts'
import type { TvmShares } from '../tvm/index.ts'
import type { Handlers } from './call.ts'
import type { IndexProgress } from './indexView.ts'
import { type ForeignMessage, PendingMessages } from './pending/pendingMessages.ts'
import { PendingTraces } from './pending/pendingTraces.ts'
import { messageHandlers, type SendMessage } from './v2/messages.ts'
import { sendingHandlers } from './v2/sending.ts'
import { MessageWaits } from './waiting/waiting.ts'

/** Other processes of the chain, which learn of messages that are sent here, and whose messages are pending here. */
export interface MessageExchange {
  publish(boc: Uint8Array, hashNorm: Uint8Array, subject: string): void
  /** `take` returns whether it took a message. */
  follow(take: (message: ForeignMessage) => boolean): void
}

export interface FollowedSendingNeeds {
  readonly chain: Chain
  readonly pool: TvmShares
  readonly settings: RunSettings
  readonly store: Sql
  readonly index: IndexProgress
  readonly stopping?: AbortSignal | undefined
  readonly exchange?: MessageExchange | undefined
  /** Milliseconds for an index that follows a revert. */
  readonly followMs?: number | undefined
  /** Milliseconds for the emulation of all pending messages. */
  readonly emulationMs?: number | undefined
}

export interface FollowedSending {
  readonly messages: Handlers<typeof messagesV2>
  readonly sending: Handlers<typeof sendingV2>
  readonly pending: PendingTraces
  readonly waiting: MessageWaits
}

export function createFollowedSending(needs: FollowedSendingNeeds): FollowedSending {
  const { chain, exchange } = needs
  const onSent: MessageExchange['publish'] = (...message) => exchange?.publish(...message)
  const bounds = { lifetimeMs: chain.traits.messageLifetimeMs }
  const mempool = new PendingMessages(bounds, { onSent, waits: (hashNorm) => chain.waits?.(hashNorm) === true })
  exchange?.follow((message) => mempool.addForeign(message))
  const forget = followReverts(chain, () => mempool.reverted())
  needs.stopping?.addEventListener('abort', forget, { once: true })
  const send: SendMessage = async (boc, { signal, caller: { subject } }) => {
    await chain.send(boc, { signal, share: subject })
    return mempool.add(boc, subject)
  }
  return {
    messages: messageHandlers(send),
    sending: sendingHandlers({ send, ...needs }),
    pending: new PendingTraces({ mempool, ...needs }),
    waiting: new MessageWaits({ mempool, ...needs }),
  }
}
