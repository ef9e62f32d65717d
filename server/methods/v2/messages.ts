import type { messagesV2 } from '../../../shared/v2/messages.ts'
import type { Caller } from '../../access/index.ts'
import type { Chain } from '../../node/index.ts'
import type { Handlers } from '../call.ts'

export interface MessageNeeds {
  readonly chain: Pick<Chain, 'send'>
  /** Called with each message the node accepted. */
  readonly sent: (boc: Uint8Array, caller: Caller) => void
}

export const messageHandlers = ({ chain, sent }: MessageNeeds): Handlers<typeof messagesV2> => ({
  async sendBoc({ boc }, { signal, caller }) {
    await chain.send(boc, { signal, share: caller.subject })
    sent(boc, caller)
    return { '@type': 'ok' }
  },
})
