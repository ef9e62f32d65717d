import { z } from 'zod'
import { method, postsV2 } from '../method.ts'
import { Boc } from '../primitives.ts'

const group = 'messages'

/** On a new embedded chain: `wallet4` sends itself 0.01 TON, valid until 2106. */
export const TRANSFER =
  'te6cckEBAgEAqQAB4YgBU67R9XVTEEdACmcy98sGbTodQkvONUWhs5Wm2zlxojAGqBd/8VsjS9EjTkPEVrRIGmtQqbrP5KPYQTR+PZtfDyZJ5a' +
  'q2tk8JQg1O2Ru+GRirIQXZj4x7oUx4JFC9QYAYKU1NGL/////4AAAAAAAMAQBmQgBU67R9XVTEEdACmcy98sGbTodQkvONUWhs5Wm2zlxojBzE' +
  'tAAAAAAAAAAAAAAAAAAAy8/+Ow=='

export const messagesV2 = {
  sendBoc: method({
    summary: 'Sends an external message.',
    description:
      'A reply means that the contract accepts the message now, not that it is in a block. sendBocReturnHash also returns the hash to look for.',
    group,
    params: z.strictObject({ boc: Boc.describe('Signed external message, base64 BoC.') }),
    result: z.object({ '@type': z.literal('ok') }).meta({ id: 'Ok', description: 'The message was accepted.' }),
    rest: postsV2('sendBoc'),
    freshness: 'live',
    example: { params: { boc: TRANSFER }, result: { '@type': 'ok' } },
  }),
}
