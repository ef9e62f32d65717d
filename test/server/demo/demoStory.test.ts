// What the demo leaves behind, as the contracts themselves say it.

import { beginCell, type Cell, type TupleItem } from '@ton/core'
import { beforeAll, expect, test } from 'vitest'
import { hashToBytes, sha256 } from '../../../server/cell/index.ts'
import {
  dnsAccountRecord,
  dnsDomain,
  jettonWalletInit,
  multisigOrderOf,
  nftItemInit,
} from '../../../server/demo/contracts/index.ts'
import {
  createCast,
  DEMO_SECONDS,
  demoCollection,
  demoJetton,
  demoParts,
  demoStory,
  storyFrom,
} from '../../../server/demo/index.ts'
import { PART_TITLES } from '../../../server/demo/parts/titles.ts'
import { devWallets, EXTRA_CURRENCY, walletOfKind } from '../../../server/devchain/accounts/index.ts'
import { accountListCell } from '../../../server/devchain/config/index.ts'
import { CONFIG_ACCOUNT, ELECTOR_ACCOUNT } from '../../../server/devchain/contracts/index.ts'
import { type Devchain, openDevchain } from '../../../server/devchain/index.ts'
import { configParam } from '../../../server/tlb/index.ts'
import { toCore } from '../../setup/tonCore.ts'
import { stillClock, validatorKeysOf } from '../devchain/devchains.ts'
import { checkChain } from '../devchain/lightCheck.ts'
import { addressItem, type ChainFacts, int, raw, readChain, slice, transactionsOf } from './readChain.ts'

const COIN = 1_000_000_000n
const NOW = 1_900_000_000
/** A key is needed for what is signed, and none for how long it takes. */
const UNUSED = { publicKey: new Uint8Array(32), adnlAddress: new Uint8Array(32), sign: () => new Uint8Array(64) }
const cast = createCast(-3)
const { wallet } = cast
const owner = (number: number) => raw(wallet(number).address)
let chain: Devchain
let facts: ChainFacts
const warnings: string[] = []

beforeAll(async () => {
  chain = await openDevchain({
    story: demoStory,
    mining: 'manual',
    now: stillClock(NOW).now,
    log: (line, more) => warnings.push(`${line} ${JSON.stringify(more)}`),
  })
  const played = await chain.player.play()
  facts = await readChain(chain)
  expect([played, warnings]).toEqual([true, []])
  return () => chain.close()
})

/** The address of what a part is marked by. */
const markOf = (name: string) => {
  const part = demoParts.find((one) => one.name === name)
  if (part === undefined) throw new Error(`There is no part ${name}`)
  return part.mark({ cast, round: 0, start: 0 })
}

test('the parts that a command offers are those there are, in their order', () => {
  expect(Object.keys(PART_TITLES)).toEqual(demoParts.map(({ name }) => name))
})

test('the clock is right when it is over, and blocks lie in the past until then', async () => {
  const length = DEMO_SECONDS
  expect(storyFrom(0, cast, [UNUSED]).at(-1)?.utime).toBe(length)
  expect(length).toBeGreaterThan(3600)
  expect(chain.reader.bySeqno(-1, 1)?.utime).toBe(NOW - length)
  expect(chain.control.state()).toMatchObject({ utime: NOW, clockOffset: 0, mining: 'manual', pending: 0 })
  await checkChain(chain)
})

test('transactions of every kind: thousands would be too many, a handful too few', async () => {
  const all = await transactionsOf(chain)
  expect(all.length).toBeGreaterThan(300)
  expect(all.length).toBeLessThan(1000)
  const failures = all.filter(({ aborted }) => aborted).map(({ exitCode }) => exitCode)
  expect(new Set(failures)).toEqual(new Set([null, 67, 706, 401, 65535]))
  expect(all.filter(({ inMessage }) => inMessage?.bounced).length).toBeGreaterThan(3)
  const comments = all.filter(({ inMessage }) => inMessage?.opcode === 0)
  expect(comments.length).toBeGreaterThan(20)
  expect(all.filter(({ inMessage }) => inMessage?.opcode === 0x2167da4b)).toHaveLength(1)
})

test('wallets of every kind were deployed and have spent', () => {
  for (const [place, kind] of devWallets.entries()) {
    const { address, code } = walletOfKind(wallet(place + 1), kind, { globalId: -3, number: 1 })
    const state = facts.account(address)?.storage.state
    expect(state?.kind === 'active' && state.init.code?.hash()).toBe(code.hash())
    expect(Number((10n * facts.balance(address)) / COIN)).toBe(kind === 'highload' ? 986 : 994)
  }
})

test('jettons: balances add up to the supply, and what was burned is gone', () => {
  const master = demoJetton(cast).address
  const held = Array.from({ length: 10 }, (_, place) => {
    const { address } = jettonWalletInit(master, wallet(place + 1).address)
    return facts.account(address) === null ? 0n : facts.get(address, 'get_wallet_data').readBigNumber()
  })
  const supply = facts.get(master, 'get_jetton_data').readBigNumber()
  expect(held.map((amount) => amount / COIN)).toEqual([1070n, 595n, 310n, 35n, 5n, 0n, 0n, 9700n, 0n, 15n])
  expect(supply).toBe(held.reduce((sum, amount) => sum + amount))
  expect(supply).toBe(11_730n * COIN)
})

test('items: given away, sold, won in an auction, and some still for sale', () => {
  const collection = demoCollection(cast).address
  expect(facts.get(collection, 'get_collection_data').readNumber()).toBe(8)
  const owners = Array.from({ length: 8 }, (_, index) => {
    const data = facts.get(nftItemInit(collection, BigInt(index)).address, 'get_nft_data')
    data.skip(3)
    return data.readAddress().toRawString()
  })
  const [won2, given, onSale = '', bought, inAuction = '', won, back, onSale2 = ''] = owners
  expect([won2, given, bought, won, back]).toEqual([2, 1, 9, 1, 7].map(owner))
  const saleOf = (item: string) => {
    const [workchain, hash = ''] = item.split(':')
    return facts.get({ workchain: Number(workchain), hash: new Uint8Array(Buffer.from(hash, 'hex')) }, 'get_sale_data')
  }
  for (const [item, price] of [
    [onSale, 40n],
    [onSale2, 28n],
  ] as const) {
    const sale = saleOf(item)
    expect([sale.readNumber(), sale.readBoolean()]).toEqual([0x46495850, false])
    sale.skip(4)
    expect(sale.readBigNumber()).toBe(price * COIN)
  }
  const auction = saleOf(inAuction)
  expect([auction.readNumber(), auction.readBoolean(), auction.readNumber() > NOW]).toEqual([0x415543, false, true])
  auction.skip(3)
  expect([auction.readBigNumber(), auction.readAddress().toRawString()]).toEqual([8n * COIN, owner(10)])
})

test('badges: one kept, one destroyed, one revoked', () => {
  const badges = [0n, 1n, 2n].map((index) => {
    const { address } = nftItemInit(markOf('sbt'), index, 'nft/soulbound')
    const data = facts.get(address, 'get_nft_data')
    data.skip(3)
    const isRevoked = facts.get(address, 'get_revoked_time').readNumber() > 0
    return [data.readAddressOpt()?.toRawString() ?? null, isRevoked]
  })
  expect(badges).toEqual([
    [owner(1), false],
    [null, false],
    [owner(3), true],
  ])
})

test('the multisig: one order is done, one waits for a second signer', () => {
  const shared = markOf('multisig')
  expect(facts.get(shared, 'get_multisig_data').readNumber()).toBe(2)
  const orders = [0n, 1n].map((seqno) => {
    const data = facts.get(multisigOrderOf(shared, seqno).address, 'get_order_data')
    data.skip(2)
    const threshold = data.readNumber()
    const isSent = data.readBoolean()
    data.skip(2)
    return { threshold, isSent, approvals: data.readNumber() }
  })
  expect(orders).toEqual([
    { threshold: 2, isSent: true, approvals: 2 },
    { threshold: 2, isSent: false, approvals: 1 },
  ])
})

test('vesting: some is unlocked, some addresses are listed, and coins have left', () => {
  const vesting = markOf('vesting')
  const locked = facts.get(vesting, 'get_locked_amount', [int(NOW)]).readBigNumber()
  expect(locked).toBeGreaterThan(0n)
  expect(locked).toBeLessThan(1200n * COIN)
  expect(facts.get(vesting, 'is_whitelisted', [addressItem(wallet(7).address)]).readBoolean()).toBe(true)
  const spent = 1200n * COIN - facts.balance(vesting)
  expect(spent / COIN).toBe(30n)
})

const CATEGORY_WALLET = BigInt(`0x${Buffer.from(hashToBytes(sha256(Buffer.from('wallet')))).toString('hex')}`)

/** Asks from the root on, as everybody does. */
function resolve(name: string): Cell | null {
  const config = chain.reader.moment().master.extra.config.params.get(4)
  if (config === undefined) throw new Error('There is no root')
  let at = { workchain: -1, hash: new Uint8Array(config.data()) }
  let rest = Buffer.from(`\0${name.split('.').reverse().join('\0')}\0`)
  for (let hops = 0; hops < 6; hops++) {
    // A zone says where every domain would be, whether there is one or not.
    if (facts.account(at)?.storage.state.kind !== 'active') return null
    const args: TupleItem[] = [slice(beginCell().storeBuffer(rest).endCell()), int(CATEGORY_WALLET)]
    const answer = facts.get(at, 'dnsresolve', args)
    const bits = answer.readNumber()
    const found = answer.readCellOpt()
    if (bits === 8 * rest.length || found === null) return found
    const next = found.beginParse()
    if (next.loadUint(16) !== 0xba93) return null
    const { workChain, hash } = next.loadAddress()
    at = { workchain: workChain, hash: new Uint8Array(hash) }
    rest = Buffer.from(rest.subarray(bits / 8))
  }
  throw new Error('Too many hops')
}

test('domains: won ones lead to their owners, and so does a subdomain', () => {
  const account = (number: number) => toCore(dnsAccountRecord(wallet(number).address)).toString()
  expect(['alice.ton', 'market.ton', 'shop.market.ton', 'absent.ton'].map((name) => resolve(name)?.toString())).toEqual(
    [account(1), account(3), account(1), undefined],
  )
})

test('auctions of domains: two are open, without a winner yet', () => {
  const zone = facts.get(markOf('dns'), 'get_nft_data')
  zone.skip(2)
  const { workChain, hash } = zone.readAddress()
  const open = ['harbour', 'lighthouse'].map((name) => {
    const { address } = dnsDomain({ workchain: workChain, hash: new Uint8Array(hash) }, name)
    const auction = facts.get(address, 'get_auction_info')
    // The zone has passed on what fees have left of a first bid.
    return [auction.readAddress().toRawString(), auction.readBigNumber() / (COIN / 2n), auction.readNumber() > NOW]
  })
  expect(open).toEqual([
    [owner(10), 70n, true],
    [owner(7), 9n, true],
  ])
})

test('a domain no one renewed for a year belongs to who wanted it then', () => {
  const zone = facts.get(markOf('dns'), 'get_nft_data')
  zone.skip(2)
  const { workChain, hash } = zone.readAddress()
  const { address } = dnsDomain({ workchain: workChain, hash: new Uint8Array(hash) }, 'bookshelf')
  const data = facts.get(address, 'get_nft_data')
  data.skip(3)
  expect(data.readAddress().toRawString()).toBe(owner(7))
  expect(facts.get(address, 'get_auction_info').readAddressOpt()).toBeNull()
  // What its first owner had written in it is gone.
  expect(resolve('bookshelf.ton')).toBeNull()
})

test('wages: two were paid by themselves, and no one wakes who pays any more', async () => {
  const payer = markOf('clock')
  const isPayer = (account: Uint8Array) => Buffer.from(account).subarray(-32).equals(payer.hash)
  const all = (await transactionsOf(chain)).filter(({ account }) => isPayer(account))
  const woken = all.filter(({ inMessage }) => inMessage === null)
  expect(woken.map(({ outMessages }) => outMessages.length).filter((sent) => sent > 0)).toEqual([1, 1])
  const due = facts.get(payer, 'get_wages_data')
  due.skip(3)
  expect(due.readNumber()).toBeLessThan(NOW)
  const listed = chain.reader.moment().master.extra.config.params.get(31)
  expect(listed?.hash()).toBe(accountListCell([CONFIG_ACCOUNT, ELECTOR_ACCOUNT]).hash())
})

/** What is written of an account in dictionaries: its id as a number. */
const idOf = ({ hash }: { readonly hash: Uint8Array }): bigint => BigInt(`0x${Buffer.from(hash).toString('hex')}`)

test('the pool: its stake is back with a reward, shared by all whose coins were staked', () => {
  const pool = markOf('staking')
  const data = facts.get(pool, 'get_pool_data')
  expect([data.readNumber(), data.readNumber(), data.readBigNumber()]).toEqual([0, 2, 0n])
  expect(data.readBigNumber()).toBeGreaterThan(1220n * COIN)
  const nominator = (number: number) => {
    const held = facts.get(pool, 'get_nominator_data', [int(idOf(wallet(number).address))])
    return [held.readBigNumber(), held.readBigNumber(), held.readBoolean()] as const
  }
  const [amount, ...rest] = nominator(1)
  expect(amount).toBeGreaterThan(30n * COIN)
  expect(rest).toEqual([0n, false])
  // This one came while the stake was frozen, and the second, who had requested it, was paid.
  expect(nominator(3)).toEqual([40n * COIN, 0n, false])
  expect(() => nominator(2)).toThrow('86')
})

test('elections: two rounds, each with a set of its own, by rules that make the next one begin soon', () => {
  const { config } = chain.reader.moment().master.extra
  const before = configParam(config, 32)
  const now = configParam(config, 34)
  const next = configParam(config, 36)
  expect([before?.total, now?.total, next]).toEqual([3, 3, null])
  expect(validatorKeysOf(chain)).toHaveLength(3)
  expect((now?.utimeUntil ?? 0) - (now?.utimeSince ?? 0)).toBe(1200)
  expect(now?.utimeSince).toBeLessThan(NOW)
  // Elections are announced 600 seconds before the end of a term; tests and people have minutes until then.
  expect((now?.utimeUntil ?? 0) - 600 - NOW).toBeGreaterThan(300)
  const elector = { workchain: -1, hash: ELECTOR_ACCOUNT }
  expect(facts.get(elector, 'active_election_id').readNumber()).toBe(0)
  const past = facts.get(elector, 'past_elections_list').readLispList()
  expect(past).toHaveLength(1)
  expect(past[0]).toMatchObject({
    type: 'tuple',
    items: [{ type: 'int', value: BigInt(now?.utimeSince ?? 0) }, {}, {}, {}],
  })
})

test('elections: a complaint was passed, and the accused got less back than the others', async () => {
  const all = await transactionsOf(chain)
  const answers = all
    .filter(({ account }) => Buffer.from(account).subarray(-32).equals(ELECTOR_ACCOUNT))
    .flatMap(({ outMessages }) => outMessages.map(({ opcode }) => (opcode ?? 0) >>> 0))
  const count = (opcode: number) => answers.filter((one) => one === opcode).length
  const [filed, counted, passed] = [0xf2676350, 0xd6745241, 0xd6745242].map(count)
  expect({ filed, counted, passed }).toEqual({ filed: 1, counted: 1, passed: 1 })
  // Stakes confirmed in both rounds, one without an election and one after its close, and three that were taken back.
  expect([0xf374484c, 0xee6f454c, 0xf96f7324].map(count)).toEqual([6, 2, 3])
  const holders = [1, 2].map((number) =>
    facts.balance(walletOfKind(wallet(5), 'v4r2', { globalId: cast.globalId, workchain: -1, number }).address),
  )
  const [filer = 0n, accused = 0n] = holders
  expect(filer - accused).toBeGreaterThan(24n * COIN)
})

test('another currency: some was sent on, some came back, and there is as much of it as before', () => {
  const held = Array.from({ length: 10 }, (_, place) => {
    const balance = facts.account(wallet(place + 1).address)?.storage.balance
    return balance?.other.get(EXTRA_CURRENCY) ?? 0n
  })
  const all = wallet(7).currencies.get(EXTRA_CURRENCY) ?? 0n
  expect(held).toEqual([0n, 0n, 600n, 0n, 0n, 0n, all - 2500n, 0n, 0n, 1900n])
  const { globalBalance } = chain.reader.moment().master.extra
  expect([...globalBalance.other]).toEqual([[EXTRA_CURRENCY, all]])
})

test('a later caller finds a chain like any other', async () => {
  const stranger = { workchain: 0, hash: new Uint8Array(32).fill(0x77) }
  await chain.control.faucet({ workchain: 0, id: stranger.hash }, COIN)
  await chain.control.mine(2)
  expect(facts.balance(stranger)).toBe(COIN)
  // Its blocks are signed by who was elected.
  await checkChain(chain)
})
