import type { messages } from '../../../shared/v2/messages.ts'
import type { LiteServer } from '../../node/index.ts'
import type { Handlers } from '../call.ts'
import { upstream } from '../errors.ts'

export const messageHandlers = (node: Pick<LiteServer, 'send'>): Handlers<typeof messages> => ({
  async sendBoc({ boc }, { signal }) {
    await upstream(node.send(boc, { signal }))
    return { '@type': 'ok' }
  },
})
