import type { messages } from '../../../shared/v2/messages.ts'
import type { Chain } from '../../node/index.ts'
import type { Handlers } from '../call.ts'

export const messageHandlers = (chain: Pick<Chain, 'send'>): Handlers<typeof messages> => ({
  async sendBoc({ boc }, { signal, caller }) {
    await chain.send(boc, { signal, share: caller.subject })
    return { '@type': 'ok' }
  },
})
