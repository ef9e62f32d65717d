import { Dictionary } from '@ton/core'
import { JettonMaster, JettonWallet } from '@ton/ton'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  contentKeyOf,
  contractCode,
  jettonClaimAdminBody,
  jettonDropAdminBody,
  jettonMasterInit,
  jettonMintBody,
  jettonOfferAdminBody,
  jettonSetAdminBody,
  jettonSetContentBody,
  jettonSetContentUriBody,
  jettonWalletInit,
  offChainContent,
  onChainContent,
  provideWalletAddressBody,
} from '../../../../server/demo/contracts/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { core, startTvm } from '../../devchain/actor.ts'
import {
  addressItem,
  bodyOf,
  coin,
  coreAddress,
  Network,
  person,
  raw,
  stepsOf,
} from '../../devchain/contracts/network.ts'

const admin = person(1)
const alice = person(2)
const bob = person(3)
const stranger = person(9)
const content = onChainContent({
  name: 'Test Jetton',
  symbol: 'TST',
  decimals: '9',
  image: 'https://jetton.test/i.png',
})
const master = jettonMasterInit({ admin, content })
const wallet = (owner: typeof alice) => jettonWalletInit(master.address, owner)

let executor: Emulator
let network: Network

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  network = new Network(executor)
  network.send({ from: admin, to: master })
})

describe('the master', () => {
  const ask = (from: typeof alice, body: ReturnType<typeof jettonDropAdminBody>) =>
    stepsOf(network.send({ from, to: master.address, body }))[0]
  const adminNow = () => network.get(master.address, 'get_jetton_data')

  test('default: what it says of itself', () => {
    const data = adminNow()
    expect([data.readBigNumber(), data.readBigNumber(), data.readAddress().toRawString()]).toEqual([
      0n,
      -1n,
      raw(admin),
    ])
    expect([
      data.readCell().equals(core(content)),
      data.readCell().equals(core(contractCode('jetton/wallet'))),
    ]).toEqual([true, true])
    const fields = core(content).beginParse().skip(8).loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
    expect(
      fields
        .get(Buffer.from(contentKeyOf('symbol')))
        ?.beginParse()
        .skip(8)
        .loadStringTail(),
    ).toBe('TST')
  })

  test('default: where the wallet of an owner is', () => {
    const found = network.get(master.address, 'get_wallet_address', [addressItem(alice)]).readAddress()
    expect(found.toRawString()).toBe(raw(wallet(alice).address))

    const requested = (owner: typeof alice | null, includesOwner: boolean) => {
      const body = provideWalletAddressBody(3n, owner, includesOwner)
      return bodyOf(network.send({ from: bob, to: master.address, value: coin / 20n, body }), 0xd1735400)
    }
    const { queryId, body, to } = requested(alice, true)
    expect([queryId, to, body.loadAddress().toRawString()]).toEqual([3n, raw(bob), raw(wallet(alice).address)])
    expect(body.loadMaybeRef()?.beginParse().loadAddress().toRawString()).toBe(raw(alice))
    const elsewhere = requested(person(2, -1), false)
    expect([elsewhere.body.loadMaybeAddress(), elsewhere.body.loadMaybeRef()]).toEqual([null, null])
    const withoutOwner = requested(null, true)
    expect([withoutOwner.body.loadMaybeAddress(), withoutOwner.body.loadMaybeRef()?.bits.length]).toEqual([null, 2])
  })

  test('behavior: another admin, at once or by consent, or none', () => {
    expect(ask(stranger, jettonSetAdminBody(1n, stranger))).toBe('failed 73')
    ask(admin, jettonSetAdminBody(1n, alice))
    expect(ask(admin, jettonOfferAdminBody(1n, admin))).toBe('failed 73')
    ask(alice, jettonOfferAdminBody(1n, bob))
    expect(network.get(master.address, 'get_next_admin_address').readAddress().toRawString()).toBe(raw(bob))
    expect(ask(alice, jettonClaimAdminBody(1n))).toBe('failed 73')
    ask(bob, jettonClaimAdminBody(1n))
    expect(ask(alice, jettonDropAdminBody(1n))).toBe('failed 73')
    ask(bob, jettonDropAdminBody(1n))
    const data = adminNow()
    data.skip(2)
    expect(data.readAddressOpt()).toBeNull()
    expect(ask(bob, jettonSetAdminBody(1n, bob))).toBe('failed 73')
  })

  test('behavior: other content', () => {
    const now = () => {
      const data = adminNow()
      data.skip(3)
      return data.readCell()
    }
    const next = offChainContent('https://jetton.test/next.json')
    expect(ask(stranger, jettonSetContentBody(1n, next))).toBe('failed 73')
    ask(admin, jettonSetContentBody(1n, next))
    expect(now().equals(core(next))).toBe(true)
    const uri = `https://jetton.test/${'long/'.repeat(60)}`
    ask(admin, jettonSetContentUriBody(1n, uri))
    expect(now().beginParse().skip(8).loadStringTail()).toBe(uri)
  })

  test('default: the public wrappers', async () => {
    const mint = { queryId: 1n, to: alice, amount: 77n, value: coin / 5n, responseTo: null }
    network.send({ from: admin, to: master.address, body: jettonMintBody(mint) })
    const data = await JettonMaster.create(coreAddress(master.address)).getJettonData(network.provider(master.address))
    expect(data).toMatchObject({ totalSupply: 77n, mintable: true })
    expect(data.adminAddress.toRawString()).toBe(raw(admin))
    const { address } = wallet(alice)
    const found = await JettonMaster.create(coreAddress(master.address)).getWalletAddress(
      network.provider(master.address),
      coreAddress(alice),
    )
    expect(found.toRawString()).toBe(raw(address))
    expect(await JettonWallet.create(coreAddress(address)).getBalance(network.provider(address))).toBe(77n)
  })
})
