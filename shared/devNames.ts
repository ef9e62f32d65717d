// What deploy scripts can say of the contracts they deploy.

import { z } from 'zod'
import { MOST_ABI_LENGTH } from './abi/parseAbi.ts'
import { method, postsActon, readsActon } from './method.ts'
import { AnyAddress, AnyHash } from './primitives.ts'
import { SpelledAccounts, SpelledHashes } from './v3/filters.ts'

const group = 'control of the embedded chain'
const control = true
const LONGEST_NAME = 64
const MOST_ENTRIES = 500

const Kept = z
  .object({
    names: z.int().describe('Accounts that have a name now.'),
    abis: z.int().describe('Codes that have an ABI or a name now.'),
  })
  .meta({ id: 'DevKept', description: 'What the service keeps of names.' })

/** Refusals name the entry, so what is in one is checked by the handler. */
const ActonAbi = z.strictObject({
  abi: z.record(z.string(), z.unknown()).optional().describe('ABI with `code_hashes`, or with the code in it.'),
  code_hash: z.string().optional().describe('In older versions.'),
  compiler_abi: z.record(z.string(), z.unknown()).optional().describe('In older versions.'),
})

const EXAMPLE_CODE = 'a35ab9698b1f0563ba172c033987428765e6bd71c8a42d31f05f6813cb10cf96'
const EXAMPLE_ABI = {
  compiler_abi: { contract_name: 'Counter', unique_types: [], declarations: [] },
  code_hashes: [EXAMPLE_CODE],
}

const registersAbis = (name: `acton_${string}`) =>
  method({
    summary: "Gives ABIs of codes as Acton's local network takes them.",
    description: 'All of them or none. Kept as those of dev.setAbi.',
    group,
    control,
    params: z.strictObject({ entries: z.array(ActonAbi).max(MOST_ENTRIES).describe('ABIs to keep.') }),
    result: z.null(),
    rest: postsActon(name),
    freshness: 'live',
    example: {
      params: { entries: [{ abi: EXAMPLE_ABI }] },
      result: null,
    },
  })

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
        code_hash: EXAMPLE_CODE,
        abi: 'increase#7e8764ef query_id:uint64 by:uint32 = Msg;',
        name: 'Counter',
      },
      result: { names: 0, abis: 1 },
    },
  }),

  acton_setAddressName: method({
    summary: "Gives an account a name as Acton's local network does.",
    description: 'The same as dev.setName.',
    group,
    control,
    params: z.strictObject({
      address: AnyAddress.describe('Account to name.'),
      name: z.string().max(LONGEST_NAME).describe('Its name; an empty text removes it.'),
    }),
    result: z.null(),
    rest: postsActon('acton_setAddressName'),
    freshness: 'live',
    example: { params: { address: `0:${'11'.repeat(32)}`, name: 'counter' }, result: null },
  }),

  acton_getAddressName: method({
    summary: "Names of accounts as Acton's local network answers them.",
    description: 'Those of v3.abis, which has more of them at once. Open to all callers.',
    group,
    params: z.strictObject({ address: SpelledAccounts.describe('Accounts; a path repeats the name.') }),
    result: z.record(z.string(), z.string().nullable()).describe('By the address as it was given; null for none.'),
    rest: readsActon('acton_getAddressName'),
    freshness: 'live',
    example: {
      params: { address: [`0:${'11'.repeat(32)}`] },
      result: { [`0:${'11'.repeat(32)}`]: 'counter' },
    },
  }),

  acton_getCompilerAbi: method({
    summary: "ABIs of codes as Acton's local network answers them.",
    description: 'Those of v3.abis that are of Tolk. Open to all callers.',
    group,
    params: z.strictObject({ code_hash: SpelledHashes.describe('Hashes of codes; a path repeats the name.') }),
    result: z
      .record(z.string(), z.record(z.string(), z.unknown()).nullable())
      .describe('By the hash as it was given: an ABI with `code_hashes`, or null.'),
    rest: readsActon('acton_getCompilerAbi'),
    freshness: 'live',
    example: { params: { code_hash: [EXAMPLE_CODE] }, result: { [EXAMPLE_CODE]: EXAMPLE_ABI } },
  }),

  acton_registerCompilerAbis: registersAbis('acton_registerCompilerAbis'),

  acton_registerCompilerAbi: registersAbis('acton_registerCompilerAbi'),
}
