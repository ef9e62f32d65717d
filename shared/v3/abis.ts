// Names of accounts and descriptions of contracts this service was given: by `--abi`, and on a devnet by calls.

import { z } from 'zod'
import { method } from '../method.ts'
import { AccountList, HashList } from './filters.ts'
import { Base64Hash, RawAddress, readsV3 } from './values.ts'

const HASH = 'o1q5aYsfBWO6FywDOYdCh2XmvXHIpC0x8F9oE8sQz5Y='

const KnownAbi = z
  .object({
    code_hash: Base64Hash.describe('Hash of the code it describes.'),
    name: z.string().describe('Name of the contract. Text of its author: show it as text.'),
    source: z.enum(['file', 'call']).describe('Where it is from: `--abi`, or dev.setAbi.'),
    errors: z.record(z.string(), z.string()).describe('Names of exit codes.'),
    opcodes: z.record(z.string(), z.string()).describe('Names of messages by opcode, such as `0x7e8764ef`.'),
    abi: z
      .string()
      .nullable()
      .describe('The description as it was given; null for a contract with only a name, and when no filter is given.'),
  })
  .meta({ id: 'KnownAbi' })

export const abisV3 = {
  'v3.abis': method({
    summary: 'Names of accounts and ABIs of contracts that this service was given.',
    description:
      'By hash of code or by account; without a filter a list of all, without the texts. They come from `--abi` and, on a devnet, dev.setName and dev.setAbi. The explorer decodes bodies, storage, errors and get-methods with them.',
    group: 'utils',
    params: z.strictObject({
      code_hash: HashList.optional().meta({ description: 'Hashes of codes.' }),
      address: AccountList.optional().meta({ description: 'Accounts whose code is indexed.' }),
    }),
    result: z
      .object({
        abis: z.array(KnownAbi).describe('What is known of codes.'),
        names: z.record(RawAddress, z.string()).describe('Names of accounts, by raw address.'),
      })
      .meta({ id: 'AbisResponse' }),
    rest: readsV3('abis'),
    freshness: 'live',
    example: {
      params: {},
      result: {
        abis: [
          {
            code_hash: HASH,
            name: 'Counter',
            source: 'call',
            errors: { 777: 'Not the owner' },
            opcodes: {},
            abi: null,
          },
        ],
        names: {},
      },
    },
  }),
}
