// What deploy scripts can say of the contracts they deploy.

import { z } from 'zod'
import { MOST_ABI_LENGTH } from './abi/parseAbi.ts'
import { method } from './method.ts'
import { AnyAddress, AnyHash } from './primitives.ts'

const group = 'control of the embedded chain'
const control = true
const LONGEST_NAME = 64

const Kept = z
  .object({
    names: z.int().describe('Accounts that have a name now.'),
    abis: z.int().describe('Codes that have an ABI or a name now.'),
  })
  .meta({ id: 'DevKept', description: 'What the service keeps of names.' })

export const devNames = {
  'dev.setName': method({
    summary: 'Gives an account a name, which the explorer shows.',
    description: 'Kept in the data folder until the chain is reset. Read with v3.abis.',
    group,
    control,
    params: z.strictObject({
      address: AnyAddress.describe('Account to name.'),
      name: z.string().max(LONGEST_NAME).describe('Its name; an empty text removes it.'),
    }),
    result: Kept,
    rest: [],
    freshness: 'live',
    example: {
      params: { address: `0:${'11'.repeat(32)}`, name: 'counter' },
      result: { names: 1, abis: 0 },
    },
  }),

  'dev.setAbi': method({
    summary: 'Gives the ABI of a code, by which the explorer decodes its accounts.',
    description:
      'Takes an ABI of Tact or Tolk, one that Acton keeps, or TL-B with one message in a line. Kept in the data folder until the chain is reset. `--abi` reads the same from files.',
    group,
    control,
    params: z.strictObject({
      code_hash: AnyHash.optional().describe('Hash of the code; left out for an ABI of Tolk that has the code in it.'),
      abi: z
        .union([z.string().max(MOST_ABI_LENGTH), z.record(z.string(), z.unknown())])
        .describe('The ABI as text or JSON; an empty text removes it.'),
      name: z.string().max(LONGEST_NAME).optional().describe('Name of the contract; default: the one in the ABI.'),
    }),
    result: Kept,
    rest: [],
    freshness: 'live',
    example: {
      params: {
        code_hash: 'a35ab9698b1f0563ba172c033987428765e6bd71c8a42d31f05f6813cb10cf96',
        abi: 'increase#7e8764ef query_id:uint64 by:uint32 = Msg;',
        name: 'Counter',
      },
      result: { names: 0, abis: 1 },
    },
  }),
}
