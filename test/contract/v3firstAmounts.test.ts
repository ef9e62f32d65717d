// First amounts of jettons that are claimed with a proof, over a filled database.

import { describe, expect, test } from 'vitest'
import { rawOfKey as raw } from '../../server/methods/keyOfAccount.ts'
import { type AccountKey, sql, writeOwed } from '../../server/store/index.ts'
import { insertAssets } from '../setup/assetTables.ts'
import { keyOf } from '../setup/filledAccounts.ts'
import { assetsForAll, type Params, rowsIn } from '../setup/v3Assets.ts'

const addresses = (rows: readonly Params[]) => rows.map(({ address }) => address)

describe('a first amount that is claimed with a proof', () => {
  // What is added here would be in every list above.
  const running = assetsForAll({ rows: 300, people: 12 })
  const key = (byte: number) => keyOf(0, new Uint8Array(32).fill(byte))
  const owner = key(0xa1)
  const root = new Uint8Array(32).fill(0xa2)
  const uri = 'https://example.com/mintless.json'

  /** Four wallets of one owner: two of a jetton with amounts, of which one is claimed; one of a jetton without; a full one. */
  async function fill(proofs: unknown): Promise<readonly string[]> {
    const { rows, store } = running()
    const master = rows.jettonMasters[0]
    const wallet = rows.jettonWallets[0]
    if (!master || !wallet) throw new Error('no row')
    const jettons = [key(0xb1), key(0xb2), key(0xb3)]
    const [airdropped = key(0), another = key(0), plain = key(0)] = jettons
    const jettonMasters = jettons.map((account) => ({
      ...master,
      account,
      content: { uri },
      airdropRoot: account === plain ? null : root,
    }))
    const held = (at: number, jetton: AccountKey, claimed: boolean | null, balance = 0n) => ({
      ...wallet,
      account: key(at),
      owner,
      jetton,
      claimed,
      balance,
    })
    const wallets = [
      held(0xc1, airdropped, false),
      held(0xc2, another, true),
      held(0xc3, plain, false),
      held(0xc4, plain, null, 7n),
    ]
    const json = JSON.stringify({ custom_payload_api_uri: proofs })
    const metadata = [{ account: airdropped, uri, json, fetchedAt: 5 }]
    const amount = { owner, amount: 100n, startFrom: 5n, expireAt: 9n }
    await store.transaction(async (to) => {
      await to.query(sql`delete from token_metadata where account = ${airdropped}`)
      await insertAssets(to, { jettonMasters, jettonWallets: wallets, metadata })
      await writeOwed(to, root, [amount])
    })
    return wallets.map(({ account }) => raw(account))
  }

  test.each([
    ['https://claim.example/api', ['https://claim.example/api']],
    [
      ['https://a.example', 7, 'https://b.example'],
      ['https://a.example', 'https://b.example'],
    ],
    [{ at: 'nowhere' }, null],
    [undefined, null],
  ])('is shown with the wallet that has not claimed it; proofs from %j', async (proofs, proofsUri) => {
    const [unclaimed, ...others] = await fill(proofs)
    const found = rowsIn(await running().get('jetton/wallets', { owner_address: raw(owner) }))
    const info = (address: unknown) => found.find((row) => row.address === address)
    expect(info(unclaimed)?.mintless_info).toEqual({
      amount: '100',
      start_from: 5,
      expire_at: 9,
      custom_payload_api_uri: proofsUri,
    })
    for (const other of others) expect(info(other)).not.toHaveProperty('mintless_info')
  })

  test('is shown without proofs that take thousands of characters: they are written with each wallet', async () => {
    const [unclaimed] = await fill(`https://claim.example/${'x'.repeat(4096)}`)
    const found = rowsIn(await running().get('jetton/wallets', { address: [unclaimed] }))
    expect(found[0]?.mintless_info).toMatchObject({ amount: '100', custom_payload_api_uri: null })
  })

  test('is something: the wallet is not empty', async () => {
    const [unclaimed, , , full] = await fill(undefined)
    const { all } = running()
    const params = { owner_address: raw(owner), exclude_zero_balance: true }
    expect(addresses(await all('jetton/wallets', params))).toEqual([full, unclaimed])
    expect(addresses(await all('jetton/wallets', { ...params, sort: 'asc' }))).toEqual([unclaimed, full])
    const everywhere = addresses(await all('jetton/wallets', { exclude_zero_balance: true }))
    expect(everywhere.filter((one) => one === unclaimed)).toHaveLength(1)
    const both = { exclude_zero_balance: true, address: [unclaimed, full], jetton_address: raw(key(0xb1)) }
    expect(addresses(await all('jetton/wallets', both))).toEqual([unclaimed])
  })
})
