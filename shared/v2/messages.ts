import { z } from 'zod'
import { method, postsV2 } from '../method.ts'
import { Boc } from '../primitives.ts'

const group = 'messages'

export const messages = {
  sendBoc: method({
    summary: 'Sends an external message. Accepted means that the contract takes it, not yet that it is in a block.',
    group,
    params: z.strictObject({ boc: Boc }),
    result: z.object({ '@type': z.literal('ok') }).meta({ id: 'Ok' }),
    rest: postsV2('sendBoc'),
    freshness: 'live',
    example: { params: { boc: 'te6cckEBAQEAAgAAAEysuc0=' }, result: { '@type': 'ok' } },
  }),
}
