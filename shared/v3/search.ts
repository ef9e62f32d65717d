// The search: one text, and what it can name.

import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { method } from '../method.ts'
import { page } from '../page.ts'
import { sideFields } from './sideObjects.ts'
import { Base64Hash, BlockId, RawAddress, readsV3 } from './values.ts'

const LONGEST = 256

export const SearchHit = z
  .object({
    type: z
      .enum([
        'account',
        'jetton',
        'nft_collection',
        'domain',
        'transaction',
        'message',
        'trace',
        'block',
        'code',
        'opcode',
      ] as const)
      .describe('What was found; `code` is the hash of a contract code.'),
    match: z
      .enum(['exact', 'prefix', 'nearest'])
      .describe('How it fits the text: `nearest` when nothing fits and this exists.'),
    name: z
      .string()
      .nullable()
      .describe('Name of the token, domain or opcode. Text of strangers: show it as text, never as markup.'),
    symbol: z.string().nullable().describe('Ticker of a jetton, text of strangers too.'),
    account: RawAddress.nullable().describe('Account, token, or NFT of the domain.'),
    hash: Base64Hash.nullable().describe('Hash of the transaction, message, trace, block (root hash) or code.'),
    block: BlockId.nullable().describe('Block that was found.'),
    opcode: z.string().nullable().describe('Opcode in hex, as `0x0f8a7ea5`.'),
    holders: z.int().nullable().describe('Holders of a jetton or items of a collection, counted up to 500.'),
  })
  .meta({ id: 'SearchHit' })
export type SearchHit = z.output<typeof SearchHit>

const { JETTON } = exampleValues

export const searchV3 = {
  'v3.search': method({
    summary: 'What a text names: accounts, tokens, domains, transactions, messages, blocks.',
    description:
      'Accepts addresses and hashes in any form and in part, block numbers, opcodes, domains, and beginnings of names of jettons and NFT collections. A transaction that does not begin a trace is found by its whole hash alone. When nothing fits, `results` has the nearest that exists and `note` says so. Names are not unique: among equal ones those with more holders come first, out of the first 1,000 of exactly that name and 200 matches.',
    group: 'utils',
    params: z.strictObject({
      query: z
        .string()
        .min(1, 'query is empty')
        .max(LONGEST, `query is longer than ${LONGEST} characters: decode bags of cells with v3.decode`)
        .meta({ description: 'Text to search for.' }),
      limit: page({ byDefault: 10, most: 50 }).limit,
    }),
    result: z
      .object({
        kind: z
          .enum(['account', 'hash', 'block', 'domain', 'opcode', 'boc', 'wrong', 'text'])
          .describe('What the text looks like; `wrong` for an address that is damaged.'),
        results: z.array(SearchHit).describe('The best first.'),
        note: z.string().nullable().describe('A sentence about the text for the person who wrote it.'),
        ...sideFields,
      })
      .meta({ id: 'SearchResponse' }),
    rest: readsV3('search'),
    freshness: 'index',
    example: {
      params: { query: 'demo', limit: 1 },
      result: {
        kind: 'text',
        results: [
          {
            type: 'jetton',
            match: 'exact',
            name: 'Demo Jetton',
            symbol: 'DEMO',
            account: JETTON,
            hash: null,
            block: null,
            opcode: null,
            holders: 7,
          },
        ],
        note: null,
        address_book: {},
        metadata: {},
      },
    },
  }),
}
