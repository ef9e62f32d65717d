import { z } from 'zod'
import { method, readsV2 } from '../method.ts'
import { Address, Digits, Seqno } from '../primitives.ts'

const group = 'accounts'

const account = z.strictObject({
  address: Address,
  seqno: Seqno.optional().meta({ description: 'Masterchain block to read at; the newest when left out.' }),
})

export const accounts = {
  getAddressBalance: method({
    summary: 'The balance of an account in nanocoins; "0" for one that does not exist.',
    group,
    params: account,
    result: Digits,
    rest: readsV2('getAddressBalance'),
    freshness: 'block',
    example: {
      params: { address: '-1:3333333333333333333333333333333333333333333333333333333333333333' },
      result: '0',
    },
  }),
}
