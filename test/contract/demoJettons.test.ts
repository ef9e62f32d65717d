// The jettons of the demo as libraries read them: by the methods of @ton/ton's wrappers, and out of the data in the layout
// of the usual (TEP-74) contracts, from the first bit to the last.

import { Address, Cell, Dictionary } from '@ton/core'
import { JettonMaster, JettonWallet, TonClient } from '@ton/ton'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { sha256 } from '../../server/cell/index.ts'
import { seedCommand } from '../../server/cli/seed/command.ts'
import { forAllTests, serve } from '../setup/service.ts'

const ALICE = Address.parse(`0:${'11'.repeat(32)}`)
/** Of the second round: the jetton that `dev.jetton` gives is there before the first, which counts as one. */
const LINK = 'https://demo.invalid/linked-2.json'
const ON_CHAIN = 0
const OFF_CHAIN = 1

/** The text of a content cell; its first byte says of which kind it is, and no part of it is text. */
function readContent(
  content: Cell,
): { prefix: number; text: string } | { prefix: number; fields: (string | undefined)[] } {
  const slice = content.beginParse()
  const prefix = slice.loadUint(8)
  if (prefix !== ON_CHAIN) return { prefix, text: slice.loadStringTail() }
  const dict = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  const keyOf = (name: string) => Buffer.from(sha256(Buffer.from(name, 'utf8')), 'latin1')
  const textOf = (name: string) => dict.get(keyOf(name))?.beginParse().skip(8).loadStringTail()
  return { prefix, fields: ['name', 'symbol', 'decimals'].map(textOf) }
}

function readMaster(data: Cell) {
  const slice = data.beginParse()
  const supply = slice.loadCoins()
  const admin = slice.loadMaybeAddress()
  const content = slice.loadRef()
  const walletCode = slice.loadRef()
  slice.endParse()
  return { supply, admin, content, walletCode }
}

function readWallet(data: Cell) {
  const slice = data.beginParse()
  const balance = slice.loadCoins()
  const owner = slice.loadAddress()
  const master = slice.loadAddress()
  const walletCode = slice.loadRef()
  slice.endParse()
  return { balance, owner, master, walletCode }
}

describe('jettons of the demo', () => {
  const service = forAllTests(() => serve({ withIndex: true }))
  const tonClient = () => new TonClient({ endpoint: `${service().url}/api/v2/jsonRPC` })

  async function dataOf(address: Address): Promise<Cell> {
    const { data } = await tonClient().getContractState(address)
    if (data === null) throw new Error(`No data at ${address.toRawString()}`)
    return Cell.fromBoc(data)[0] ?? Cell.EMPTY
  }

  test('the one anybody is given says what it is, in methods and in data', async () => {
    const given = await createClient({ url: service().url, timeoutMs: 300_000 }).dev.jetton({
      address: ALICE.toRawString(),
      amount: '42',
    })
    const ton = tonClient()
    const master = ton.open(JettonMaster.create(Address.parse(given.master)))
    const jettonData = await master.getJettonData()
    expect(jettonData).toMatchObject({ totalSupply: 42n, mintable: true })
    expect(readContent(jettonData.content)).toEqual({ prefix: ON_CHAIN, fields: ['Demo Jetton', 'DEMO', '9'] })
    const address = await master.getWalletAddress(ALICE)
    expect(address.toRawString()).toBe(given.wallet)
    expect(await ton.open(JettonWallet.create(address)).getBalance()).toBe(42n)

    const stored = readMaster(await dataOf(master.address))
    expect(stored.supply).toBe(42n)
    expect(stored.admin?.equals(jettonData.adminAddress)).toBe(true)
    expect([stored.content.hash(), stored.walletCode.hash()]).toEqual([
      jettonData.content.hash(),
      jettonData.walletCode.hash(),
    ])
    const wallet = readWallet(await dataOf(address))
    expect(wallet.balance).toBe(42n)
    expect([wallet.owner, wallet.master].map(String)).toEqual([ALICE, master.address].map(String))
    expect(wallet.walletCode.hash()).toEqual(jettonData.walletCode.hash())
  })

  test('the one behind a link has the link and nothing before it', async () => {
    const { url } = service()
    const io = { env: {}, out: () => undefined, err: () => undefined }
    expect(await seedCommand.run(['--url', url, '--only', 'jetton'], io)).toBe(0)
    const client = createClient({ url, timeoutMs: 300_000 })
    const links = async () => {
      const { jetton_masters } = await client.v3.jetton.masters({ limit: 10 })
      return new Map(jetton_masters.map(({ address, jetton_content }) => [jetton_content?.uri, address]))
    }
    await expect.poll(async () => [...(await links()).keys()]).toContain(LINK)
    const address = Address.parse((await links()).get(LINK) ?? '')
    const { content } = await tonClient().open(JettonMaster.create(address)).getJettonData()
    expect(readContent(content)).toEqual({ prefix: OFF_CHAIN, text: LINK })
    expect(readContent(readMaster(await dataOf(address)).content)).toEqual(readContent(content))
    expect(await client.getTokenData({ address: address.toString() })).toMatchObject({
      jetton_content: { type: 'offchain', data: LINK },
    })
  })
})
