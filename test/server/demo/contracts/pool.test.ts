// The pool of nominators in a real TVM: what each may do, and to the nanoton what everybody has after it. The numbers are
// those the public contract gives.

import { Address, beginCell } from '@ton/core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  contractCode,
  nominatorPool,
  poolAcceptCoinsBody,
  poolDepositBody,
  poolForgetOldVotingsBody,
  poolNoteValidatorSetBody,
  poolPayOneBody,
  poolPayRequestedBody,
  poolRecoverStakeBody,
  poolStakeBody,
  poolValidatorDepositBody,
  poolValidatorWithdrawalBody,
  poolVoteBody,
  poolWithdrawBody,
} from '../../../../server/demo/contracts/index.ts'
import { ELECTOR_ACCOUNT } from '../../../../server/devchain/contracts/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { Actor, core, exitCode, genesisTime, own, sent, startTvm, systemAddress } from '../../devchain/actor.ts'
import { coin, int } from '../../devchain/contracts/network.ts'
import { freshPool, MOST, type PoolStorage, poolStorage, readPool, VALIDATOR } from './poolStorage.ts'

const address = systemAddress(Buffer.alloc(32, 0x99))
const elector = systemAddress(ELECTOR_ACCOUNT)
const validator = systemAddress(VALIDATOR)
const [N1, N2, N3, N4] = [1, 2, 3, 4].map((byte) => new Address(0, Buffer.alloc(32, byte))) as [
  Address,
  Address,
  Address,
  Address,
]
const id = ({ hash }: Address): bigint => BigInt(`0x${hash.toString('hex')}`)
const said = (op: number, queryId = 77n) => beginCell().storeUint(op, 32).storeUint(queryId, 64)
const text = (words: string) => beginCell().storeUint(0, 32).storeStringTail(words).endCell()
const ACCEPTED = 0xf374484c
const REFUSED = 0xee6f454c
const RECOVERED = 0xf96f7324
let executor: Emulator

beforeAll(async () => {
  executor = await startTvm()
})

function poolWith(parts: Partial<PoolStorage>, balance = 100_000n * coin): Actor {
  const data = own(poolStorage({ ...freshPool, ...parts }))
  return new Actor(executor, { address, code: contractCode('staking/pool'), data, balance })
}
const stored = (pool: Actor) => readPool(pool.data)
const holding = (...amounts: (readonly [Address, bigint, bigint?])[]) => ({
  nominators: new Map(amounts.map(([account, amount, pending = 0n]) => [id(account), [amount, pending] as const])),
})

/** What a message leads to: the exit code when it fails, else what is sent. */
function sendTo(pool: Actor, from: Address, body: Parameters<typeof core>[0], value = coin) {
  const transaction = pool.receive({ from, value, body: core(body) })
  const code = exitCode(transaction)
  return code === 0 ? sent(transaction).map(({ to, value: coins }) => ({ to, coins })) : code
}

test('default: what it is deployed with is what is read of it', () => {
  const terms = { validatorShare: 4000, maxNominators: MOST, minValidatorStake: 1000n * coin }
  const { data, address: at } = nominatorPool({
    validator: { workchain: -1, hash: VALIDATOR },
    ...terms,
    minNominatorStake: 100n * coin,
  })
  expect(core(data).hash()).toEqual(poolStorage(freshPool).hash())
  expect(at.workchain).toBe(-1)
})

describe('nominators', () => {
  test('default: a deposit, another one while a stake is at work, and how they are listed', () => {
    const pool = poolWith({})
    expect(sendTo(pool, N1, poolDepositBody(), 101n * coin)).toEqual([])
    pool.setData(poolStorage({ ...stored(pool), state: 2 }))
    expect(sendTo(pool, N1, poolDepositBody(), 11n * coin)).toEqual([])
    expect(sendTo(pool, N2, poolDepositBody(), 301n * coin)).toEqual([])
    expect(sendTo(pool, N2, poolWithdrawBody())).toHaveLength(1)
    const values = pool.get('get_nominator_data', [int(id(N1))])
    expect([values.readBigNumber(), values.readBigNumber(), values.readBoolean()]).toEqual([
      100n * coin,
      10n * coin,
      false,
    ])
    const list = pool.get('list_nominators').readLispList()
    const plain = list.map((item) =>
      item.type === 'tuple' ? item.items.map((part) => (part.type === 'int' ? part.value : null)) : null,
    )
    expect(plain).toEqual([
      [id(N2), 0n, 300n * coin, -1n],
      [id(N1), 100n * coin, 10n * coin, 0n],
    ])
    expect(pool.get('has_withdraw_requests').readBoolean()).toBe(true)
    expect(() => pool.get('get_nominator_data', [int(9)])).toThrow('86')
  })

  test.each([
    ['less than a nominator must have', N1, 100.5, 67],
    ['nothing but the fee', N1, 1, 66],
    ['from the masterchain', new Address(-1, Buffer.alloc(32, 1)), 200, 61],
    ['the account of the validator', new Address(0, VALIDATOR), 200, 62],
    ['one nominator too many', N4, 200, 65],
  ])('error: a deposit: %s', (_, from, value, code) => {
    const full = holding([N1, 0n], [N2, coin], [N3, coin])
    const pool = poolWith(code === 65 ? full : {})
    expect(sendTo(pool, from, poolDepositBody(), BigInt(value * 1e9))).toBe(code)
  })

  test.each([
    ['D', 64],
    ['dd', 9],
    ['', 9],
    ['w', 60],
  ])('error: the text %j of an account that has nothing here', (words, code) => {
    expect(sendTo(poolWith({}), N1, own(text(words)), 200n * coin)).toBe(code)
    expect(sendTo(poolWith({ state: 2 }), N1, poolWithdrawBody())).toBe(69)
    expect(exitCode(poolWith({}).receive({ from: N1, value: coin, body: beginCell().endCell() }))).toBe(9)
  })

  test('default: all is paid out at once, and what came with the letter goes back', () => {
    const pool = poolWith(holding([N1, 500n * coin, 20n * coin], [N2, 100n * coin]))
    const [paid, rest] = sendTo(pool, N1, poolWithdrawBody()) as { to: string; coins: bigint }[]
    // The fee of the masterchain is taken from it.
    expect(paid).toEqual({ to: N1.toRawString(), coins: 520n * coin - coin / 100n })
    expect(rest?.to).toBe(N1.toRawString())
    expect(rest?.coins).toBeLessThan(coin)
    expect([...stored(pool).nominators.keys()]).toEqual([id(N2)])
  })

  test('behavior: there is not as much: nothing changes, and nothing is requested', () => {
    const pool = poolWith(holding([N1, 1000n * coin]), 500n * coin)
    const before = pool.data
    expect(sendTo(pool, N1, poolWithdrawBody())).toHaveLength(1)
    expect(pool.data.hash()).toEqual(before.hash())
  })

  test('behavior: what is worth no message is dropped', () => {
    const pool = poolWith(holding([N1, coin / 2n]))
    expect(sendTo(pool, N1, poolWithdrawBody())).toHaveLength(1)
    expect(stored(pool).nominators.size).toBe(0)
  })

  test('default: requests are paid in the order of their accounts, as far as coins go', () => {
    const all = {
      ...holding([N1, 1000n * coin], [N2, 2000n * coin], [N3, 3000n * coin]),
      requests: [N1, N2, N3].map(id),
    }
    const pool = poolWith(all, 3500n * coin)
    const paid = sendTo(pool, N4, poolPayRequestedBody(1n, 100)) as { to: string }[]
    expect(paid.map(({ to }) => to)).toEqual([N1.toRawString(), N2.toRawString()])
    expect([stored(pool).requests, [...stored(pool).nominators.keys()]]).toEqual([[id(N3)], [id(N3)]])
    const one = poolWith(all)
    const wide = beginCell().storeUint(2, 32).storeUint(1, 64).storeUint(100, 32).endCell()
    expect(sendTo(one, N4, own(wide))).toHaveLength(1)
  })

  test('default: one is paid although a stake is at work', () => {
    const pool = poolWith({ ...holding([N1, 1000n * coin], [N2, 50n * coin]), requests: [id(N1)], state: 2 })
    expect(sendTo(pool, N3, poolPayOneBody(1n, { workchain: 0, hash: N1.hash }))).toHaveLength(1)
    expect(sendTo(pool, N3, poolPayOneBody(1n, { workchain: 0, hash: N2.hash }))).toBe(71)
    expect(stored(pool).nominators.size).toBe(1)
  })
})

describe('the validator', () => {
  test('default: puts coins in and takes them out', () => {
    const pool = poolWith(holding([N1, 80_000n * coin]))
    expect(sendTo(pool, validator, poolValidatorDepositBody(1n), 11n * coin)).toEqual([])
    expect(stored(pool).validatorAmount).toBe(10n * coin)
    expect(sendTo(pool, validator, poolValidatorWithdrawalBody(1n, 20_100n * coin))).toBe(76)
    // More than it has put in, as no other owns it.
    expect(sendTo(pool, validator, poolValidatorWithdrawalBody(1n, 100n * coin))).toHaveLength(1)
    expect(stored(pool).validatorAmount).toBe(0n)
  })

  test('error: others, too little, and a stake at work', () => {
    const pool = poolWith({})
    expect(sendTo(pool, N1, poolValidatorDepositBody(1n), 11n * coin)).toBe(73)
    expect(sendTo(pool, validator, poolValidatorDepositBody(1n))).toBe(74)
    expect(sendTo(pool, N1, poolValidatorWithdrawalBody(1n, coin))).toBe(75)
    expect(sendTo(pool, validator, poolValidatorWithdrawalBody(1n, 0n))).toBe(78)
    expect(sendTo(poolWith({ state: 1 }), validator, poolValidatorWithdrawalBody(1n, coin))).toBe(74)
    expect(sendTo(pool, N1, own(said(99).endCell()))).toBe(70)
    expect(sendTo(pool, N1, poolAcceptCoinsBody(1n))).toEqual([])
  })

  const order = own(
    beginCell()
      .storeUint(5n, 256)
      .storeUint(1_700_000_900, 32)
      .storeUint(3 << 16, 32)
      .endCell(),
  )
  const ready = { validatorAmount: 5000n * coin }

  test('default: stakes, and the pool is notified', () => {
    const pool = poolWith(ready)
    const [stake] = sendTo(pool, validator, poolStakeBody(9n, 10_001n * coin, order)) as { to: string; coins: bigint }[]
    expect(stake).toEqual({ to: elector.toRawString(), coins: 10_001n * coin })
    const { state, sent: kept, stakeAt, changes, heldFor, changedAt } = stored(pool)
    expect([state, kept, stakeAt, changes, heldFor]).toEqual([1, 10_000n * coin, 1_700_000_900, 0, 32_768])
    expect(changedAt).toBe(genesisTime)
    expect(sendTo(pool, elector, own(said(ACCEPTED).storeUint(0, 32).endCell()))).toEqual([])
    expect(stored(pool).state).toBe(2)
  })

  test('behavior: a stake that is refused, or comes back, is free again', () => {
    const pool = poolWith(ready)
    sendTo(pool, validator, poolStakeBody(9n, 10_001n * coin, order))
    sendTo(pool, elector, own(said(REFUSED).storeUint(3, 32).endCell()), 10_001n * coin)
    expect([stored(pool).state, stored(pool).sent]).toEqual([0, 10_000n * coin])
  })

  test.each([
    ['of another account', {}, N1, 9n, 1000, 78],
    ['while another is at work', { state: 2 }, validator, 9n, 1000, 79],
    ['without a number', {}, validator, 0n, 1000, 80],
    ['too small', {}, validator, 9n, 499, 81],
    ['greater than the balance', {}, validator, 9n, 99_995, 82],
    ['without enough of its own', { validatorAmount: 999n * coin }, validator, 9n, 1000, 83],
    ['while a nominator waits', { requests: [5n] }, validator, 9n, 1000, 85],
  ])('error: a stake %s', (_, parts, from, queryId, amount, code) => {
    const pool = poolWith({ ...ready, ...parts })
    expect(sendTo(pool, from, poolStakeBody(queryId, BigInt(amount) * coin, order))).toBe(code)
  })

  test('default: the stake is requested back when the set has changed twice and its time is over', () => {
    const pool = poolWith({ state: 2, changes: 1, heldFor: 180, changedAt: genesisTime - 1000 })
    expect(sendTo(pool, N1, poolRecoverStakeBody(1n))).toBe(111)
    expect(sendTo(pool, N1, poolNoteValidatorSetBody(1n))).toEqual([])
    expect(stored(pool).changes).toBe(2)
    // The same set once more is no change.
    expect(sendTo(pool, N1, poolNoteValidatorSetBody(1n))).toEqual([])
    pool.now = genesisTime + 240
    expect(sendTo(pool, N1, poolRecoverStakeBody(1n))).toBe(112)
    pool.now = genesisTime + 241
    expect(sendTo(pool, N1, poolRecoverStakeBody(1n))).toEqual([expect.objectContaining({ to: elector.toRawString() })])
    expect(sendTo(poolWith({ changes: 3 }), N1, poolNoteValidatorSetBody(1n))).toBe(113)
  })

  test('default: without rules about fines the greatest is 101 coins', () => {
    expect(
      poolWith({})
        .get('get_max_punishment', [int(5000n * coin)])
        .readBigNumber(),
    ).toBe(101n * coin)
  })
})

describe('what a stake has brought', () => {
  const three = holding([N1, 1000000000007n], [N2, 2000000000011n, 500000000000n], [N3, 3000000000013n])
  const unchanged = [1000000000007n, 2500000000011n, 3000000000013n]
  const SENT = 10_000_000_000_000n
  const own5 = 5_000_000_000_000n
  test.each([
    ['A', 4000, 123456789013n, own5, 5049382715605n, [1012345678908n, 2524691357813n, 3037037036716n]],
    ['B', 4000, 0n, own5, own5, unchanged],
    ['C', 4000, -100999999999n, own5, 4899000000001n, unchanged],
    ['D', 4000, -100999999999n, 100000000000n, 0n, [999833333340n, 2499666666677n, 2999500000013n]],
    ['E', 4000, -9000000000000n, 0n, 0n, [0n, 500000000000n, 0n]],
    ['F', 0, 123456789013n, own5, own5, [1020576131509n, 2541152263015n, 3061728394519n]],
    ['G', 10_000, 123456789013n, own5, own5 + 123456789013n, unchanged],
    ['H', 20_000, 123456789013n, own5, own5 + 123456789013n, unchanged],
    ['I', 4000, 3n, own5, own5 + 1n, unchanged],
  ])('default: case %s', (_, share, reward, before, after, amounts) => {
    const pool = poolWith({ ...three, state: 2, sent: SENT, share, validatorAmount: before, requests: [id(N3)] })
    expect(sendTo(pool, elector, own(said(RECOVERED).endCell()), SENT + reward)).toEqual([])
    const { state, sent: left, validatorAmount, nominators, requests } = stored(pool)
    expect([state, left, validatorAmount, requests]).toEqual([0, 0n, after, [id(N3)]])
    expect([N1, N2, N3].map((one) => nominators.get(id(one)))).toEqual(amounts.map((amount) => [amount, 0n]))
  })

  test('behavior: without a stake: all of it is a reward', () => {
    const pool = poolWith({ ...three, validatorAmount: own5 })
    sendTo(pool, elector, own(said(RECOVERED).endCell()), 50n * coin)
    expect(stored(pool).validatorAmount).toBe(own5 + 20n * coin)
    const amounts = [N1, N2, N3].map((one) => stored(pool).nominators.get(id(one))?.[0])
    expect(amounts).toEqual([1005000000007n, 2510000000011n, 3015000000012n])
  })

  test('behavior: no one had anything at work: what has waited is at work, and the reward has no owner', () => {
    const pool = poolWith({ ...holding([N2, 0n, 500000000000n]), state: 2, sent: SENT, validatorAmount: own5 })
    sendTo(pool, elector, own(said(RECOVERED).endCell()), SENT + 123456789013n)
    expect(stored(pool).validatorAmount).toBe(own5 + 49382715605n)
    expect(stored(pool).nominators.get(id(N2))).toEqual([500000000000n, 0n])
  })

  test('behavior: the same words from another one', () => {
    const pool = poolWith({ ...three, state: 2 })
    expect(sendTo(pool, N1, own(said(RECOVERED).endCell()), 5n * coin)).toBe(70)
  })
})

describe('votes', () => {
  const proposal = Buffer.alloc(32, 0xab)
  const number = BigInt(`0x${proposal.toString('hex')}`)

  test('default: members vote, change their minds, and it is forgotten after a month', () => {
    const pool = poolWith(holding([N1, 200n * coin]))
    expect(sendTo(pool, N1, poolVoteBody(true, proposal))).toEqual([])
    expect(sendTo(pool, validator, own(text(`n${proposal.toString('hex').toUpperCase()}`)))).toEqual([])
    expect(sendTo(pool, N1, poolVoteBody(true, proposal))).toBe(122)
    expect(sendTo(pool, N1, poolVoteBody(false, proposal))).toEqual([])
    expect(pool.get('list_voters', [int(number)]).readLispList()).toHaveLength(2)
    expect(pool.get('list_votes').readLispList()).toHaveLength(1)
    pool.now = genesisTime + 31 * 86_400
    expect(sendTo(pool, N4, poolForgetOldVotingsBody(1n))).toEqual([])
    expect(() => pool.get('list_voters', [int(number)])).toThrow('133')
  })

  test('error: strangers, half a coin, and what is no hash', () => {
    const pool = poolWith(holding([N1, 200n * coin]))
    expect(sendTo(pool, N2, poolVoteBody(true, proposal))).toBe(121)
    expect(sendTo(pool, N1, poolVoteBody(true, proposal), coin / 2n)).toBe(123)
    expect(sendTo(pool, N1, own(text(`y${'g'.repeat(64)}`)))).toBe(124)
    expect(sendTo(pool, N1, own(text(`y${'a'.repeat(65)}`)))).toBe(9)
  })
})
