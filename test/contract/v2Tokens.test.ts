// Tokens through the service: contracts that say what jettons and NFTs say, in the real TVM.

import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { beginCell, type Cell, readBoc, type StdAddress, writeBoc } from '../../server/cell/index.ts'
import { toFriendly } from '../../shared/address.ts'
import { toBase64 } from '../../shared/base64.ts'
import { registry } from '../../shared/registry.ts'
import { ask, post, rpc, STRICT, TONCENTER } from '../setup/calls.ts'
import { doorsOf, resultIn } from '../setup/doors.ts'
import {
  adnlRecord,
  namedCells,
  offchain,
  onchain,
  resolverRecord,
  smcRecord,
  snakeText,
  storageRecord,
  textRecord,
} from '../setup/madeContents.ts'
import { addressCell, type MadeMethod, madeAddress, madeCode, rawOf, type Value } from '../setup/madeContracts.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve({ config: { mining: 'manual' } }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })

type Methods = Readonly<Record<string, MadeMethod>>

const text = (cell: Cell) => toBase64(writeBoc(cell))
const friendly = ({ workchain, hash }: StdAddress) => toFriendly({ workchain, hash, bounceable: true, testOnly: false })

let last = 0x20
const freshAddress = () => madeAddress(++last)

/** A contract of its own, at an address that is not in use unless it is named. */
async function deploy(methods: Methods, address = freshAddress()) {
  const code = text(madeCode(methods))
  const data = text(beginCell().end())
  await client().dev.setAccount({ address: rawOf(address), balance: '1000000000', code, data })
  await client().dev.mine({ blocks: 1 })
  return address
}

const tokenOf = (address: StdAddress) => client().getTokenData({ address: rawOf(address) })
const refusalOf = async (address: StdAddress) => {
  const { status, body } = await ask(service(), `/api/v2/getTokenData?address=${rawOf(address)}`)
  return [status, body.error]
}
const notOne = (address: StdAddress) => [409, `Smart contract ${rawOf(address).toUpperCase()} is not Jetton or NFT`]

const owner = madeAddress(1)
const admin = madeAddress(2)
const walletCode = beginCell().storeUint(0xc0de, 16).end()
const master = (content: Cell = onchain({ name: 'Made' }), ...more: Value[]): readonly Value[] => [
  10n ** 30n,
  -1n,
  admin,
  content,
  walletCode,
  ...more,
]

describe('a jetton', () => {
  test('its master, through every door', async () => {
    const address = await deploy({
      get_jetton_data: { results: master(onchain({ uri: 'https://example.org/usd.json', decimals: '6', odd: 'x' })) },
    })
    const expected = {
      '@type': 'ext.tokens.jettonMasterData',
      address: rawOf(address).toUpperCase(),
      contract_type: 'jetton_master',
      total_supply: '1000000000000000000000000000000',
      mintable: true,
      admin_address: friendly(admin),
      jetton_content: { type: 'onchain', data: { uri: 'https://example.org/usd.json', decimals: '6' } },
      jetton_wallet_code: text(walletCode),
    }
    for (const door of doorsOf(registry.getTokenData)) {
      const { status, body } = await door.call(service(), 'getTokenData', { address: rawOf(address) })
      expect([door.name, status, resultIn(body)]).toEqual([door.name, 200, expected])
    }
  })

  test('without an admin, written either way; content elsewhere; code in a library', async () => {
    const none = { slice: addressCell(null) }
    // An exotic cell: a library by its hash.
    const library = readBoc(
      Buffer.from('te6cckEBAQEAIwAIQgK6KRjIlH6bJa+awbiDNXdUFz5YEvgHo9bmQqFHCVlTlSN648M=', 'base64'),
    )
    for (const owner of [none, null]) {
      const results = [0n, 0n, owner, offchain('https://example.org/a.json'), library]
      const answer = await tokenOf(await deploy({ get_jetton_data: { results } }))
      expect(answer).toMatchObject({
        total_supply: '0',
        mintable: false,
        jetton_content: { type: 'offchain', data: 'https://example.org/a.json' },
        jetton_wallet_code: 'te6cckEBAQEAIwAIQgK6KRjIlH6bJa+awbiDNXdUFz5YEvgHo9bmQqFHCVlTlSN648M=',
      })
      expect(answer).not.toHaveProperty('admin_address')
    }
  })

  async function wallet(methods: Methods = {}, known?: StdAddress) {
    const of = freshAddress()
    const results = [12_500_000n, owner, of, walletCode]
    const address = await deploy({ get_wallet_data: { results }, ...methods })
    await deploy({ get_wallet_address: { args: [owner], results: [known ?? address] } }, of)
    return { address, of }
  }

  test('a wallet its master knows', async () => {
    const { address, of } = await wallet()
    const friendlyName = friendly(address)
    expect(await client().getTokenData({ address: friendlyName })).toEqual({
      '@type': 'ext.tokens.jettonWalletData',
      address: friendlyName,
      contract_type: 'jetton_wallet',
      balance: '12500000',
      owner: friendly(owner),
      jetton: friendly(of),
      jetton_wallet_code: text(walletCode),
    })
    expect(await tokenOf((await wallet({ is_claimed: { results: [-1n] } })).address)).toMatchObject({
      mintless_is_claimed: true,
    })
    expect(await tokenOf((await wallet({ is_claimed: { results: [0n] } })).address)).toMatchObject({
      mintless_is_claimed: false,
    })
    for (const results of [[], [null], [1n, 1n]])
      expect(await tokenOf((await wallet({ is_claimed: { results } })).address)).not.toHaveProperty(
        'mintless_is_claimed',
      )
  })

  test('error: a wallet whose master knows another, or is not there', async () => {
    const { address } = await wallet({}, owner)
    expect(await refusalOf(address)).toEqual(notOne(address))
    const orphan = await deploy({ get_wallet_data: { results: [1n, owner, madeAddress(3), walletCode] } })
    expect(await refusalOf(orphan)).toEqual(notOne(orphan))
  })
})

describe('an NFT', () => {
  const individual = snakeText('0.json')
  const index = 2n ** 256n - 1n

  /** An item, and the collection that says how it knows it. */
  async function item(of: { readonly methods?: Methods; readonly collection?: Methods } = {}) {
    const collection = freshAddress()
    const results = [-1n, index, collection, owner, individual]
    const address = await deploy({ get_nft_data: { results }, ...of.methods })
    const knows = {
      get_nft_address_by_index: { args: [index], results: [address] },
      get_nft_content: { args: [index, individual], results: [offchain('https://example.org/0.json')] },
    }
    await deploy({ ...knows, ...of.collection }, collection)
    return { address, collection }
  }

  test('a collection', async () => {
    const results = [-1n, onchain({ name: 'Things', image_data: 'bytes' }), owner]
    const address = await deploy({ get_collection_data: { results } })
    expect(await tokenOf(address)).toEqual({
      '@type': 'ext.tokens.nftCollectionData',
      address: rawOf(address).toUpperCase(),
      contract_type: 'nft_collection',
      next_item_index: '-1',
      owner_address: friendly(owner),
      collection_content: {
        type: 'onchain',
        data: { name: 'Things', image_data: Buffer.from('bytes').toString('base64') },
      },
    })
  })

  test('an item gets its content from its collection', async () => {
    const { address, collection } = await item()
    expect(await tokenOf(address)).toEqual({
      '@type': 'ext.tokens.nftItemData',
      address: rawOf(address).toUpperCase(),
      contract_type: 'nft_item',
      init: true,
      index: `${index}`,
      collection_address: friendly(collection),
      owner_address: friendly(owner),
      content: { type: 'offchain', data: 'https://example.org/0.json' },
    })
  })

  test('an item without a collection has its own', async () => {
    const results = [0n, 7n, null, null, onchain({ name: 'Alone' })]
    expect(await tokenOf(await deploy({ get_nft_data: { results } }))).toEqual({
      '@type': 'ext.tokens.nftItemData',
      address: expect.any(String),
      contract_type: 'nft_item',
      init: false,
      index: '7',
      content: { type: 'onchain', data: { name: 'Alone' } },
    })
  })

  test('error: an item its collection does not know, or makes nothing of', async () => {
    const { address: false1 } = await item({ collection: { get_nft_address_by_index: { results: [owner] } } })
    expect(await refusalOf(false1)).toEqual(notOne(false1))
    const { address: mute } = await item({ collection: { get_nft_content: { results: [7n] } } })
    expect(await refusalOf(mute)).toEqual(notOne(mute))
    const orphan = await deploy({ get_nft_data: { results: [-1n, 0n, madeAddress(3), owner, individual] } })
    expect(await refusalOf(orphan)).toEqual(notOne(orphan))
  })

  const self = { args: [{ slice: beginCell().storeUint(0, 8).end() }, 0n] }
  const named = (name: string): MadeMethod => ({ results: [{ slice: snakeText(name) }] })
  const contentOf = async (methods: Methods) => {
    const answer = await tokenOf((await item({ methods })).address)
    return answer.contract_type === 'nft_item' ? answer.content : null
  }

  test('a domain shows its records', async () => {
    const odd = namedCells({
      wallet: smcRecord(owner),
      dns_next_resolver: resolverRecord(admin),
      site: adnlRecord(new Uint8Array(32).fill(0xad)),
      storage: storageRecord(new Uint8Array(32).fill(0x57)),
      other: smcRecord(admin),
      text: textRecord('no form for it here'),
      broken: beginCell().storeUint(0x9fd3, 16).end(),
    })
    const std = ({ hash }: StdAddress) => ({
      '@type': 'addr_std',
      workchain_id: 0,
      address: Buffer.from(hash).toString('hex'),
    })
    const other = 'D9298A10D1B0735837DC4BD85DAC641B0F3CEF27A47E5D53A54F2F3F5B2FCFFA'
    expect(await contentOf({ dnsresolve: { ...self, results: [8n, odd] }, get_domain: named('alice') })).toEqual({
      domain: 'alice.ton',
      data: {
        wallet: { '@type': 'dns_smc_address', smc_addr: std(owner) },
        dns_next_resolver: { '@type': 'dns_next_resolver', resolver: std(admin) },
        site: { '@type': 'dns_adnl_address', adnl_addr: 'ad'.repeat(32) },
        storage: { '@type': 'dns_storage_address', bag_id: '57'.repeat(32) },
        [other]: { '@type': 'dns_smc_address', smc_addr: std(admin) },
      },
    })
  })

  test('a domain without records, a user name', async () => {
    const none = { ...self, results: [8n, null] }
    expect(await contentOf({ dnsresolve: none, get_domain: named('bob') })).toEqual({ domain: 'bob.ton', data: {} })
    expect(await contentOf({ dnsresolve: none, get_full_domain: named('me\0t\0carol\0') })).toEqual({
      domain: 'carol.t.me',
      data: {},
    })
  })

  test('one that only begins to be a domain is an ordinary item', async () => {
    const plain = { type: 'offchain', data: 'https://example.org/0.json' }
    const no = beginCell().end()
    for (const results of [[], [8n], [0n, null], [8n, no], [8n, 5n], [8n, null, 1n]])
      expect(await contentOf({ dnsresolve: { results }, get_domain: named('x') })).toEqual(plain)
    const none = { ...self, results: [8n, null] }
    expect(await contentOf({ dnsresolve: none })).toEqual(plain)
    expect(
      await contentOf({ dnsresolve: none, get_domain: { results: [{ slice: beginCell().storeUint(0xff, 8).end() }] } }),
    ).toEqual(plain)
  })
})

describe('what is no token', () => {
  test('no contract, a wallet, a contract without methods', async () => {
    const absent = madeAddress(0x77)
    expect(await refusalOf(absent)).toEqual(notOne(absent))
    const distant = { ...absent, workchain: 5 }
    expect(await refusalOf(distant)).toEqual(notOne(distant))
    const silent = await deploy({})
    expect(await refusalOf(silent)).toEqual(notOne(silent))
    const given = friendly(silent).replaceAll('-', '+').replaceAll('_', '/')
    const { status, body } = await rpc(service(), TONCENTER, 'getTokenData', { address: given })
    expect([status, body.error]).toEqual([409, `Smart contract ${friendly(silent)} is not Jetton or NFT`])
    const { body: strict } = await rpc(service(), STRICT, 'getTokenData', { address: given })
    expect(strict.error).toMatchObject({ code: -32011, data: { kind: 'conflict' } })
  })

  test('at a block before it was one', async () => {
    const { last: before } = await client().getMasterchainInfo()
    const address = await deploy({ get_jetton_data: { results: master() } })
    expect((await tokenOf(address)).contract_type).toBe('jetton_master')
    const at = (seqno: unknown) => post(service(), '/api/v2/getTokenData', { address: rawOf(address), seqno })
    expect((await at(before.seqno)).status).toBe(409)
    expect((await at(before.seqno + 1)).status).toBe(200)
    expect((await at(1e6)).status).toBe(500)
    for (const seqno of [0, -1, 'x']) expect((await at(seqno)).status).toBe(422)
  })

  const ok = offchain('x')
  const lies: [string, Methods][] = [
    ['too little', { get_jetton_data: { results: [1n, 1n, admin, ok] } }],
    ['a cell for the supply', { get_jetton_data: { results: [ok, 1n, admin, ok, walletCode] } }],
    ['a number for the admin', { get_jetton_data: { results: [1n, 1n, 1n, ok, walletCode] } }],
    [
      'half an address',
      { get_jetton_data: { results: [1n, 1n, { slice: beginCell().storeUint(2, 2).end() }, ok, ok] } },
    ],
    [
      'an address outside',
      {
        get_jetton_data: {
          results: [
            1n,
            1n,
            {
              slice: beginCell()
                .storeUint(1 << 9, 11)
                .end(),
            },
            ok,
            ok,
          ],
        },
      },
    ],
    ['null for the content', { get_jetton_data: { results: [1n, 1n, admin, null, walletCode] } }],
    ['content that is none', { get_jetton_data: { results: master(beginCell().end()) } }],
    [
      'content in bytes that are no text',
      { get_jetton_data: { results: master(beginCell().storeUint(0x01ff, 16).end()) } },
    ],
    // NaN, and a continuation.
    ['what cannot be written down', { get_jetton_data: { results: [], code: '83ff9090909090' } }],
    ['a wallet without an owner', { get_wallet_data: { results: [1n, null, admin, walletCode] } }],
    ['a wallet that is its own master', { get_wallet_data: { results: [1n, owner, owner, walletCode] } }],
    ['a method that throws', { get_jetton_data: { code: 'f2c064' }, get_nft_data: { code: 'f22a' } }],
    // PUSHCONT {} AGAIN
    ['methods that never end', { get_jetton_data: { code: '90ea' }, get_nft_data: { code: '90ea' } }],
    // NEWC and for ever: a cell of the one before.
    ['cells without end', { get_collection_data: { code: 'c8c993c8ccc9ea' } }],
    // NULL, and five thousand times a tuple of it.
    ['tuples too deep to be shown', { get_jetton_data: { code: '6d811388926f01e4' } }],
    // Thirty thousand times a zero.
    ['more than anybody reads', { get_jetton_data: { code: '8175309170e4' } }],
    // Tuples in tuples for ever.
    ['tuples without end', { get_collection_data: { code: '6d926f01ea' } }],
  ]
  test.each(lies)('a contract that leaves %s', async (_, methods) => {
    const address = await deploy(methods)
    expect(await refusalOf(address)).toEqual(notOne(address))
  })
})
