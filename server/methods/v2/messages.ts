import type { messagesV2 } from '../../../shared/v2/messages.ts'
import type { Call, Handlers } from '../call.ts'
import type { PendingMessage } from '../pending/messageShelf.ts'

/** Sends a message, which is pending once the node accepted it. */
export type SendMessage = (boc: Uint8Array, call: Call) => Promise<Pick<PendingMessage, 'hash' | 'hashNorm'>>

export const messageHandlers = (send: SendMessage): Handlers<typeof messagesV2> => ({
  async sendBoc({ boc }, call) {
    await send(boc, call)
    return { '@type': 'ok' }
  },
})
