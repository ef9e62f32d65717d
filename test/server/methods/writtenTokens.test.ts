// Metadata of tokens is written without objects: the same text as from them, whatever the tokens have.

import { expect, test } from 'vitest'
import { metadataOf, type TokensFound } from '../../../server/methods/v3/names/metadata.ts'
import { writeTokens } from '../../../server/methods/v3/written/writtenTokens.ts'
import type { DescribedToken } from '../../../server/store/index.ts'

const account = (...first: number[]): Uint8Array => {
  const key = new Uint8Array(33).fill(0xa5)
  key.set(first)
  return key
}

const described = (key: Uint8Array, more: Partial<DescribedToken>): DescribedToken => ({
  account: key,
  kind: 'nft_items',
  index: null,
  saleName: null,
  content: null,
  fetched: null,
  ...more,
})

const held = (key: Uint8Array, balance: bigint) => ({
  account: key,
  owner: account(127),
  jetton: account(128, 7),
  balance,
})

const cases: Readonly<Record<string, TokensFound>> = {
  nothing: { held: [], described: [] },
  'wallets in no order, of both workchains': {
    held: [held(account(128, 9), 0n), held(account(127, 1), 2n ** 256n - 1n), held(account(128, 8), 1n)],
    described: [],
  },
  'accounts that differ behind their first bytes': {
    held: [held(account(128, 1, 1, 1, 1, 1, 2), 1n), held(account(128, 1, 1, 1, 1, 1, 1), 2n)],
    described: [],
  },
  'an account that is several tokens, one of which is not fetched': {
    held: [held(account(128), 5n)],
    described: [
      described(account(128), { kind: 'nft_collections', content: { name: 'a "quoted" name \\ ü €' } }),
      described(account(128), { kind: 'jetton_masters', content: { uri: 'https://example.org' } }),
    ],
  },
  'items with what can be said of them': {
    held: [],
    described: [
      described(account(128, 3), { index: 2n ** 256n - 1n, saleName: '+888', content: null }),
      described(account(128, 2), {
        content: { uri: 'u' },
        fetched: { uri: 'u', json: '{"name":"\\ud83d\\ude00","odd":[1]}' },
      }),
      described(account(128, 1), { content: { uri: 'u' }, fetched: { uri: 'u', json: 'no JSON' } }),
    ],
  },
  'more than are gone through at once': {
    held: Array.from({ length: 1200 }, (_, i) => held(account(128, (i * 7) % 251, i % 256, i >> 8), BigInt(i))),
    described: [],
  },
}

test.each(Object.entries(cases))('%s', async (_, tokens) => {
  expect((await writeTokens(tokens)).json).toBe(JSON.stringify(metadataOf(tokens)))
})
