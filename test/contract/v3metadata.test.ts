// Metadata of tokens in v3 answers: what is on chain, what was fetched, and which of them counts.

import { describe, expect, test } from 'vitest'
import { rawOfKey } from '../../server/methods/keyOfAccount.ts'
import type { ContentAttributes, JettonMasterRow, NftItemRow } from '../../server/store/index.ts'
import { type AssetRows, insertAssets } from '../setup/assetTables.ts'
import { keyOf } from '../setup/filledAccounts.ts'
import { assetsForAll, type Params } from '../setup/v3Assets.ts'

const running = assetsForAll({ rows: 40, people: 4 })

let made = 0

/** A master and an item, at one address, that say this of themselves. */
function tokenOf(content: ContentAttributes | null): {
  readonly raw: string
  readonly rows: Partial<AssetRows>
  readonly key: Uint8Array
} {
  const { jettonMasters: masters, nftItems: items } = running().rows
  const key = keyOf(0, new Uint8Array(32).fill(++made))
  const master = masters[0]
  const item = items[0]
  if (!master || !item) throw new Error('no row')
  const jetton: JettonMasterRow = { ...master, account: key, content }
  const nft: NftItemRow = { ...item, account: key, content, index: 5n }
  return { raw: rawOfKey(key), key, rows: { jettonMasters: [jetton], nftItems: [nft] } }
}

const URI = 'https://example.com/token.json'

async function said(
  content: ContentAttributes | null,
  fetched?: { readonly uri?: string; readonly json: string | null },
) {
  const { raw, key, rows } = tokenOf(content)
  const metadata = fetched === undefined ? [] : [{ account: key, uri: URI, fetchedAt: 5, ...fetched }]
  await running().store.transaction((to) => insertAssets(to, { ...rows, metadata }))
  const { [raw]: facts } = (await running().get('metadata', { address: raw })) as Record<string, Params>
  return facts
}

/** A master has `extra` whatever is known of it: clients read decimals out of it. */
const twice = (info: Params, { isIndexed = true, onChain = {} } = {}) => {
  const judged = info.valid === true ? { is_nsfw: false, is_scam: false } : {}
  return {
    is_indexed: isIndexed,
    token_info: [
      { ...info, ...judged, type: 'nft_items', nft_index: '5' },
      { extra: onChain, ...info, ...judged, type: 'jetton_masters' },
    ],
  }
}

describe('a token', () => {
  test('that lies wholly on chain is indexed as it is', async () => {
    const content = { name: 'Ours', symbol: 'OUR', description: 'A jetton', image: 'https://x/y.png', decimals: '6' }
    const { decimals, ...shown } = content
    expect(await said(content)).toEqual(twice({ valid: true, ...shown, extra: { decimals } }))
  })

  test('without anything left over has nothing extra', async () => {
    expect(await said({ name: 'Bare' })).toEqual(twice({ valid: true, name: 'Bare' }))
  })

  test('whose link is empty has nothing to wait for', async () => {
    expect(await said({ uri: '', name: 'Bare' })).toEqual(twice({ valid: true, name: 'Bare', extra: { uri: '' } }))
  })

  test('that waits to be fetched is not indexed; a jetton says what the chain knows', async () => {
    const onChain = { uri: URI, decimals: '6' }
    expect(await said({ ...onChain, name: 'Not yet' })).toEqual(twice({}, { isIndexed: false, onChain }))
  })

  test('that was fetched from where it lay before waits too', async () => {
    const old = { uri: 'https://example.com/old.json', json: '{}' }
    expect(await said({ uri: URI }, old)).toEqual(twice({}, { isIndexed: false, onChain: { uri: URI } }))
  })

  test('is what was fetched, and over it what stands on chain', async () => {
    const json = JSON.stringify({ name: 'Fetched', symbol: 'FET', decimals: 9, attributes: [{ trait: 'red' }] })
    expect(await said({ uri: URI, name: 'On chain', decimals: '6' }, { json })).toEqual(
      twice({
        valid: true,
        name: 'On chain',
        symbol: 'FET',
        extra: { decimals: '6', attributes: [{ trait: 'red' }], uri: URI },
      }),
    )
  })

  test('whose name is no text has none at the top', async () => {
    const json = JSON.stringify({ name: { en: 'x' }, image: 7, __proto__: { admin: true } })
    expect(await said({ uri: URI }, { json })).toEqual(twice({ valid: true, extra: { uri: URI } }))
    const hostile = await said({ uri: URI }, { json: '{"__proto__": {"admin": true}}' })
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
    expect(hostile?.is_indexed).toBe(true)
  })

  test.each([
    ['could not be read', { uri: URI }, { json: null }],
    ['is no object', { uri: URI }, { json: '[1]' }],
    ['says nothing that can be read on chain', null, undefined],
  ])('that %s is not valid', async (_, content, fetched) => {
    expect(await said(content, fetched)).toEqual(twice({ valid: false }, { onChain: content ?? {} }))
  })
})

describe('a user name or number that is an auction by itself', () => {
  /** An item that is sold under a name, and is described elsewhere. */
  async function infoOf(tokenName: string, json?: string): Promise<unknown> {
    const { rows, store, get } = running()
    const sale = rows.nftSales.find(({ kind }) => kind === 'telemint')
    if (!sale) throw new Error('no row')
    const { raw, key, rows: made } = tokenOf({ uri: URI })
    const nftSales = [{ ...sale, account: key, nft: key, details: JSON.stringify({ token_name: tokenName }) }]
    const metadata = json === undefined ? [] : [{ account: key, uri: URI, fetchedAt: 5, json }]
    await store.transaction((to) => insertAssets(to, { nftItems: made.nftItems ?? [], nftSales, metadata }))
    const { [raw]: facts } = (await get('metadata', { address: raw })) as Record<string, Params>
    return facts
  }

  const waits = { type: 'nft_items', nft_index: '5' }

  test('has the name it is sold under until its description says more', async () => {
    expect(await infoOf('88800001234')).toEqual({ is_indexed: false, token_info: [{ ...waits, name: '88800001234' }] })
    expect(await infoOf('88800001234', '{"name":"+888 0000 1234"}')).toMatchObject({
      token_info: [{ ...waits, name: '+888 0000 1234' }],
    })
    expect(await infoOf('alice', '{}')).toMatchObject({ token_info: [{ ...waits, name: 'alice' }] })
  })

  test('has none when that is empty', async () => {
    expect(await infoOf('')).toEqual({ is_indexed: false, token_info: [waits] })
  })
})

test('with a jetton wallet comes what it holds, one that is requested twice comes once, and strangers are left out', async () => {
  const { rows, get } = running()
  const [wallet] = rows.jettonWallets
  if (!wallet) throw new Error('no row')
  const address = [rawOfKey(wallet.account), rawOfKey(wallet.account), `0:${'7'.repeat(64)}`, 'nonsense']
  expect(Object.keys(await get('metadata', { address })).sort()).toEqual(
    [rawOfKey(wallet.account), rawOfKey(wallet.jetton)].sort(),
  )
})

test('a collection is listed as one', async () => {
  const { rows, get } = running()
  const collection = rows.nftCollections.find(({ content }) => content !== null && content.uri === undefined)
  if (!collection) throw new Error('no row')
  const raw = rawOfKey(collection.account)
  expect(await get('metadata', { address: raw })).toEqual({
    [raw]: {
      is_indexed: true,
      token_info: [
        {
          valid: true,
          type: 'nft_collections',
          is_nsfw: false,
          is_scam: false,
          name: 'On chain',
          symbol: 'ON',
          extra: { decimals: '6' },
        },
      ],
    },
  })
})
