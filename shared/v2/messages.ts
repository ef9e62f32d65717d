import { z } from 'zod'
import { method, postsV2 } from '../method.ts'
import { Boc } from '../primitives.ts'

const group = 'messages'

/** On a new embedded chain: `wallet4` sends itself a hundredth of a coin, good until 2106. */
export const TRANSFER =
  'te6cckEBAgEAqQAB4YgBU67R9XVTEEdACmcy98sGbTodQkvONUWhs5Wm2zlxojAGqBd/8VsjS9EjTkPEVrRIGmtQqbrP5KPYQTR+PZtfDyZJ5a' +
  'q2tk8JQg1O2Ru+GRirIQXZj4x7oUx4JFC9QYAYKU1NGL/////4AAAAAAAMAQBmQgBU67R9XVTEEdACmcy98sGbTodQkvONUWhs5Wm2zlxojBzE' +
  'tAAAAAAAAAAAAAAAAAAAy8/+Ow=='

export const messages = {
  sendBoc: method({
    summary: 'Sends an external message. Accepted means that the contract takes it, not yet that it is in a block.',
    group,
    params: z.strictObject({ boc: Boc }),
    result: z.object({ '@type': z.literal('ok') }).meta({ id: 'Ok' }),
    rest: postsV2('sendBoc'),
    freshness: 'live',
    example: { params: { boc: TRANSFER }, result: { '@type': 'ok' } },
  }),
}
