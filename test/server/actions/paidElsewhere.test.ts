// Liquidity that a pool pays to another account than the one that gave it up: strangers' pools may do so.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { internalBody, transferBody } from './made/bodies.ts'
import { account, actionsOf, address, call, known, type Step, typesOf } from './madeFlows.ts'

const USER = account('1')
const OTHER = account('2')
const POOL = account('3')
const VAULT = account('4')
const USER_WALLET = account('5')
const OTHER_WALLET = account('6')
const VAULT_WALLET = account('7')
const LIQUIDITY = account('8')
const walletOf = (owner: string, jetton = account('9')) => known({ jettonWallet: { owner, jetton } })
const facts = {
  [LIQUIDITY]: walletOf(USER, POOL),
  [USER_WALLET]: walletOf(USER),
  [OTHER_WALLET]: walletOf(OTHER),
  [VAULT_WALLET]: walletOf(VAULT),
}

const walletAt = (to: string): string => (to === USER ? USER_WALLET : OTHER_WALLET)
const nothing = beginCell().end()

/** The vault's wallet moves jettons. */
const moved = (to: string): Step => ({
  from: VAULT,
  to: VAULT_WALLET,
  body: transferBody(500n, to, VAULT, nothing),
  leads: [{ from: VAULT_WALLET, to: walletAt(to), body: internalBody(500n, VAULT, nothing) }],
})
const sent = (opcode: number, to: string): Step => ({ from: VAULT, to, body: call(opcode).end(), value: 600n })

/** The owner burns its liquidity. */
const burn = (opcode: number, leads: readonly Step[]): Step => ({
  from: USER,
  to: LIQUIDITY,
  body: address(call(0x595f07bc).storeCoins(7n), USER).storeBit(false).end(),
  leads: [{ from: LIQUIDITY, to: POOL, body: address(call(opcode).storeCoins(7n), USER).storeUint(0, 2).end(), leads }],
})
const ordered = (body: Step['body'], ...leads: readonly Step[]): Step => ({
  from: POOL,
  to: VAULT,
  leads,
  ...(body !== undefined && { body }),
})

/** The pool has the router pay both sides. */
function stonfiOrder(to: readonly [string, string]): Step {
  const info = address(
    address(beginCell().storeCoins(0n).storeCoins(500n), VAULT_WALLET).storeCoins(500n),
    VAULT_WALLET,
  )
  const order = address(address(address(call(0x657b54f5), USER), USER), USER).storeUint(0, 32)
  return ordered(order.storeBit(false).storeRef(info.end()).end(), moved(to[0]), moved(to[1]))
}

const EXCHANGES: Readonly<Record<string, (to: readonly [string, string]) => Step>> = {
  dedust: (to) => {
    const order = (amount: bigint) => call(0xad4eb6f5).storeRef(nothing).storeCoins(amount).end()
    return burn(0x7bdd97de, [ordered(order(500n), moved(to[0])), ordered(order(600n), sent(0x474f86cf, to[1]))])
  },
  coffee: (to) => {
    const order = (amount: bigint) => address(call(0xc0ffee21), USER).storeCoins(amount).end()
    const body = call(0xc0ffee35).storeCoins(500n).storeCoins(600n).storeCoins(7n).end()
    const log: Step = { from: POOL, to: null, body }
    return burn(0x7bdd97de, [log, ordered(order(500n), moved(to[0])), ordered(order(600n), sent(0xc0ffee32, to[1]))])
  },
  stonfi_v2: (to) => burn(0x297437cf, [stonfiOrder(to)]),
  'a refund of stonfi_v2': (to) => ({
    from: USER,
    to: OTHER,
    body: call(0x132b9a2c).end(),
    leads: [{ from: OTHER, to: POOL, body: call(0x0f98e2b8).end(), leads: [stonfiOrder(to)] }],
  }),
}

/** The owner of a place requests it from the pool, whose router pays one side. */
function toncoFlow(to: string): Step {
  const shares = address(address(beginCell().storeCoins(500n), VAULT_WALLET).storeCoins(0n), OTHER_WALLET).end()
  const order = address(address(call(0xa1daa96d), USER), USER)
    .storeUint(0, 32)
    .storeUint(0, 64)
  const paid = ordered(order.storeBit(true).storeRef(shares).storeBit(false).end(), moved(to))
  const burnt: Step = { from: LIQUIDITY, to: POOL, body: call(0xd73ac09d).end(), leads: [paid] }
  const place = call(0x530b5f2c).storeUint(1, 64).storeUint(1, 128).storeInt(0, 24).storeInt(0, 24)
  return {
    from: USER,
    to: POOL,
    body: place.end(),
    leads: [{ from: POOL, to: LIQUIDITY, body: call(0x46ca335a).end(), leads: [burnt] }],
  }
}

const withdrawals = (flow: Step) => typesOf(actionsOf(flow, facts)).filter((type) => type.startsWith('dex_withdraw'))

test.each(Object.entries(EXCHANGES))('%s: who was paid nothing has withdrawn nothing', (_, flow) => {
  expect(withdrawals(flow([USER, USER]))).toEqual(['dex_withdraw_liquidity'])
  expect(withdrawals(flow([USER, OTHER]))).toEqual([])
  expect(withdrawals(flow([OTHER, USER]))).toEqual([])
})

test('tonco: what its router pays to somebody else is a transfer, not a part of a withdrawal that failed', () => {
  expect(typesOf(actionsOf(toncoFlow(USER), facts))).toEqual(['dex_withdraw_liquidity'])
  const types = typesOf(actionsOf(toncoFlow(OTHER), facts))
  expect(types).toEqual(expect.arrayContaining(['dex_withdraw_liquidity failed', 'jetton_transfer']))
})
