// Items whose collections say little of them, and names that count or do not.

import { expect, test } from 'vitest'
import { beginCell, type StdAddress, stdAddress } from '../../../../server/cell/index.ts'
import { offchain, onchain } from '../../../setup/madeContents.ts'
import { type MadeMethod, madeAddress, madeCode } from '../../../setup/madeContracts.ts'
import { AssetScene } from './assetScene.ts'

type Methods = Readonly<Record<string, MadeMethod>>

const owner = madeAddress(1)
const itemAt = madeAddress(0x31)
/** The collection of user names of mainnet. */
const userNames = stdAddress(0, Buffer.from('80d78a35f955a14b679faa887ff4cd5bfc0f43b4a4eea2a7e6927f3701b273c2', 'hex'))
const other = madeAddress(0x22)

const collectionOf = (content: Methods): Methods => ({
  get_collection_data: { results: [1n, offchain('https://made.test/'), owner] },
  get_nft_address_by_index: { args: [7n], results: [itemAt] },
  ...content,
})
const withContent: Methods = { get_nft_content: { results: [onchain({ name: 'Made' })] } }
const itemOf = (collection: StdAddress, isInit: boolean): Methods => ({
  get_nft_data: { results: [isInit ? -1n : 0n, 7n, collection, owner, onchain({ name: 'Own' })] },
})
const bytes = (text: string) => ({ slice: beginCell().storeBytes(Buffer.from(text)).end() })
const named = (method: string, name: string): Methods => ({
  dnsresolve: { results: [8n, null] },
  [method]: { results: [bytes(name)] },
})

async function place(scene: AssetScene, collection: StdAddress, content: Methods, item: Methods): Promise<void> {
  await scene.place(collection, madeCode(collectionOf(content)), beginCell().end())
  await scene.place(itemAt, madeCode(item), beginCell().storeUint(1, 8).end())
}

const namesOf = async (scene: AssetScene) => (await scene.rows('dns_records')).map(({ domain }) => domain)

test.each([
  ['mainnet', userNames, ['alice.t.me']],
  ['mainnet', other, []],
  ['testnet', userNames, []],
] as const)(
  'on %s user names are domains if their collection is the one of mainnet',
  async (network, collection, domains) => {
    const scene = await AssetScene.open({ network })
    const item = { ...itemOf(collection, true), ...named('get_full_domain', 'me\0t\0alice\0') }
    await place(scene, collection, withContent, item)
    expect(await scene.rows('nft_items')).toHaveLength(1)
    expect(await namesOf(scene)).toEqual(domains)
  },
)

test.each(['a b', 'a..b', 'x'.repeat(123)])(
  'an item with a name that no resolver takes, %j, has none',
  async (name) => {
    const scene = await AssetScene.open({ network: 'mainnet' })
    await place(scene, userNames, withContent, { ...itemOf(userNames, true), ...named('get_domain', name) })
    expect(await scene.rows('nft_items')).toHaveLength(1)
    expect(await namesOf(scene)).toEqual([])
  },
)

test.each([
  [true, []],
  [false, [{ init: false, content: null }]],
])('an item of which its collection says nothing, initialised: %s', async (isInit, items) => {
  const scene = await AssetScene.open()
  await place(scene, other, {}, itemOf(other, isInit))
  expect(await scene.rows('nft_items')).toMatchObject(items)
})
