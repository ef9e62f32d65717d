// Exchanges, in forms that no recorded trace has: messages made by hand as their contracts send them.

import { describe, expect, test } from 'vitest'
import {
  type AccountFacts,
  type AccountsFacts,
  classifyTrace,
  type TraceMessage,
  type TraceTransaction,
} from '../../../server/actions/index.ts'
import { type Builder, beginCell, type Cell, stdAddress, storeAddress } from '../../../server/cell/index.ts'
import { message, trace, transaction } from './madeTraces.ts'
import { expectShapes } from './shapes.ts'

const account = (digit: string): string => `0:${digit.repeat(64)}`
const USER = account('1')
const ROUTER = account('2')
const POOL = account('3')
const KEEPER = account('4')
const REFERRER = account('5')
const [USER_A, USER_B, ROUTER_A, ROUTER_B, REFERRER_B] = ['A', 'B', 'C', 'D', 'E'].map(account) as [
  string,
  string,
  string,
  string,
  string,
]
const JETTON_A = account('6')
const JETTON_B = account('7')

const wallet = (owner: string, jetton: string): AccountFacts => ({
  interfaces: [],
  codeHash: null,
  jettonWallet: { owner, jetton },
})

const FACTS = new Map([
  [USER_A, wallet(USER, JETTON_A)],
  [USER_B, wallet(USER, JETTON_B)],
  [ROUTER_A, wallet(ROUTER, JETTON_A)],
  [ROUTER_B, wallet(ROUTER, JETTON_B)],
  [REFERRER_B, wallet(REFERRER, JETTON_B)],
])

const address = (builder: Builder, text: string): Builder =>
  storeAddress(builder, stdAddress(0, Buffer.from(text.slice(2), 'hex')))

const op = (opcode: number): Builder => beginCell().storeUint(opcode, 32)
const call = (opcode: number): Builder => op(opcode).storeUint(0, 64)

/** A message, and those it leads to. */
interface Step {
  readonly from: string
  readonly to: string | null
  readonly body: Cell
  readonly leads?: readonly Step[]
}

function transactionsOf(steps: readonly Step[]): TraceTransaction[] {
  let lt = 10n
  const found: TraceTransaction[] = []
  const visit = (at: string, received: TraceMessage, leads: readonly Step[]): void => {
    const sent = leads.map((step) => {
      lt += 1n
      return { step, out: message({ source: step.from, destination: step.to, body: step.body, lt }) }
    })
    found.push(transaction({ account: at, in: received, outMessages: sent.map(({ out }) => out) }))
    for (const { step, out } of sent) if (step.to !== null) visit(step.to, out, step.leads ?? [])
  }
  visit(USER, message({ source: null, destination: USER }), steps)
  return found
}

const actionsOf = (...steps: Step[]) => actionsBy(FACTS, ...steps)

function actionsBy(facts: AccountsFacts, ...steps: Step[]) {
  const [first, ...others] = transactionsOf(steps)
  if (first === undefined) throw new Error('no steps')
  const { actions, failure } = classifyTrace(trace(first, ...others), facts)
  expectShapes(actions)
  expect(failure).toBeNull()
  return actions
}

interface Transfer {
  readonly owner: string
  readonly wallets: readonly [string, string]
  readonly receiver: string
  readonly amount: bigint
  readonly payload?: Cell
  readonly leads?: readonly Step[]
}

/** A transfer of jettons, with a notice to the receiver. */
function transfer({ owner, wallets: [from, to], receiver, amount, payload, leads = [] }: Transfer): Step {
  const forward = (builder: Builder) =>
    payload === undefined ? builder.storeBit(0) : builder.storeBit(1).storeRef(payload)
  const request = address(address(call(0x0f8a7ea5).storeCoins(amount), receiver), owner)
    .storeBit(0)
    .storeCoins(1n)
  const internal = address(address(call(0x178d4519).storeCoins(amount), owner), owner).storeCoins(1n)
  const notice = address(call(0x7362d09c).storeCoins(amount), owner)
  const noticed: Step = { from: to, to: receiver, body: forward(notice).end(), leads }
  const moved: Step = { from, to, body: forward(internal).end(), leads: [noticed] }
  return { from: owner, to: from, body: forward(request).end(), leads: [moved] }
}

/** From a router to the one it owes. */
const paid = (receiver: string, walletTo: string, amount: bigint): Step =>
  transfer({ owner: ROUTER, wallets: [ROUTER_B, walletTo], receiver, amount })

describe('STON.fi', () => {
  test('a swap does not swallow what was paid to the one who recommended it', () => {
    const payTo = (exitCode: number, next: Step): Step => ({
      from: POOL,
      to: ROUTER,
      body: address(call(0xf93bb43f), USER).storeUint(exitCode, 32).end(),
      leads: [next],
    })
    const swap: Step = {
      from: ROUTER,
      to: POOL,
      body: call(0x25938561).end(),
      leads: [payTo(0x45078540, paid(REFERRER, REFERRER_B, 3n)), payTo(0xc64370e5, paid(USER, USER_B, 90n))],
    }
    const payload = address(op(0x25938561), ROUTER_B).end()
    const actions = actionsOf(
      transfer({ owner: USER, wallets: [USER_A, ROUTER_A], receiver: ROUTER, amount: 100n, payload, leads: [swap] }),
    )
    const [found] = actions.filter(({ type }) => type === 'jetton_swap')
    expect(found?.success).toBe(true)
    expect(found?.details).toMatchObject({ asset_in: JETTON_A, asset_out: JETTON_B })
    expect(found?.details.dex_outgoing_transfer).toMatchObject({ destination: USER, amount: '90' })
    const left = actions.filter(({ type }) => type === 'jetton_transfer')
    expect(left.map(({ details }) => [details.receiver, details.amount])).toEqual([[REFERRER, '3']])
  })

  test('both sides of a deposit are one action, one side alone waits', () => {
    const provide = (amounts: readonly [bigint, bigint], leads: readonly Step[]): Step => ({
      from: ROUTER,
      to: POOL,
      body: address(call(0x37c096df), USER).storeCoins(amounts[0]).storeCoins(amounts[1]).end(),
      leads: [{ from: POOL, to: KEEPER, body: call(0x50c6a654).end(), leads }],
    })
    const minted: Step = { from: POOL, to: USER_A, body: call(0x178d4519).storeCoins(77n).end() }
    const toPool: Step = { from: KEEPER, to: POOL, body: call(0x06ecd527).end(), leads: [minted] }
    const common = { owner: USER, receiver: ROUTER }
    const first = transfer({ ...common, wallets: [USER_A, ROUTER_A], amount: 10n, leads: [provide([10n, 0n], [])] })
    const second = transfer({
      ...common,
      wallets: [USER_B, ROUTER_B],
      amount: 20n,
      leads: [provide([0n, 20n], [toPool])],
    })
    const deposits = (...steps: Step[]) =>
      actionsOf(...steps)
        .filter(({ type }) => type === 'dex_deposit_liquidity')
        .map(({ success, details }) => ({ success, ...details }))
    expect(deposits(first, second)).toMatchObject([
      {
        dex: 'stonfi_v2',
        success: true,
        source: USER,
        pool: POOL,
        lp_tokens_minted: '77',
        asset_1: JETTON_A,
        amount_1: '10',
        asset_2: JETTON_B,
        amount_2: '20',
        user_jetton_wallet_2: USER_B,
      },
    ])
    expect(deposits(first)).toMatchObject([{ amount_1: '10', amount_2: null, lp_tokens_minted: null, success: true }])
  })
})

describe('DeDust', () => {
  const VAULT = ROUTER
  const VAULT_B = KEEPER
  /** Coins to the vault of TON, which calls the pool; what the pool sends is given. */
  const order = (leads: readonly Step[]): Step => ({
    from: USER,
    to: VAULT,
    body: address(call(0xea06185d).storeCoins(100n), POOL).storeBit(0).storeCoins(0n).storeBit(0).end(),
    leads: [{ from: VAULT, to: POOL, body: call(0x61ee542d).end(), leads }],
  })
  const payout = (vault: string, amount: bigint, leads: readonly Step[]): Step => {
    const body = call(0xad4eb6f5).storeRef(beginCell().end()).storeCoins(amount)
    return { from: POOL, to: vault, body: address(body, USER).end(), leads }
  }
  const facts = new Map([
    ...FACTS,
    [VAULT_B, wallet(VAULT_B, JETTON_B)] as const,
    [POOL, { interfaces: [], codeHash: null, dedustPool: { assets: [null, JETTON_B] } } as AccountFacts] as const,
  ])
  const swapOf = (leads: readonly Step[]) => actionsBy(facts, order(leads)).find(({ type }) => type === 'jetton_swap')

  test('the pool logs a swap and has the vault of the jetton pay', () => {
    const asset = (builder: Builder) => builder.storeUint(1, 4).storeInt(0, 8).storeBytes(Buffer.alloc(32, 0x77))
    const body = asset(op(0x9c610de3).storeUint(0, 4)).storeCoins(100n).storeCoins(50n).end()
    const out = transfer({ owner: VAULT_B, wallets: [ROUTER_B, USER_B], receiver: USER, amount: 50n })
    const swap = swapOf([{ from: POOL, to: null, body }, payout(VAULT_B, 50n, [out])])
    expect(swap).toMatchObject({ success: true, details: { dex: 'dedust', asset_in: null, asset_out: JETTON_B } })
  })

  test('one that logs nothing and has the TON paid back has failed, and shows what was wanted', () => {
    const back: Step = { from: VAULT, to: USER, body: call(0x474f86cf).end() }
    const swap = swapOf([payout(VAULT, 99n, [back])])
    expect(swap).toMatchObject({ success: false, details: { asset_in: null, asset_out: JETTON_B } })
    expect(swap?.details.dex_outgoing_transfer).toMatchObject({ asset: null, destination: USER, amount: '99' })
  })
})

describe('DeDust v2', () => {
  const payment = op(0xc442500f).end()
  const carrier = (leads: readonly Step[]): Step => ({
    from: USER,
    to: ROUTER,
    body: call(0xa5a7cbf8).storeCoins(100n).storeRef(payment).storeRef(beginCell().end()).end(),
    leads,
  })

  test('TON is swapped for jettons', () => {
    const log: Step = {
      from: ROUTER,
      to: null,
      body: op(0x78e79ba4).storeBit(1).storeCoins(100n).storeCoins(50n).end(),
    }
    const out = transfer({ owner: ROUTER, wallets: [ROUTER_B, USER_B], receiver: USER, amount: 50n })
    const [swap] = actionsOf(carrier([log, out]))
    expect(swap).toMatchObject({ type: 'jetton_swap', success: true })
    expect(swap?.details).toMatchObject({ dex: 'dedust_v2', asset_in: null, asset_out: JETTON_B, peer_swaps: [] })
    expect(swap?.details.dex_incoming_transfer).toMatchObject({ source: USER, destination: ROUTER, amount: '100' })
  })

  test('TON that came back is a swap that failed', () => {
    const back = call(0x3216ca09).storeCoins(99n).storeInt(42, 32).storeBit(0).end()
    const [swap] = actionsOf(carrier([{ from: ROUTER, to: USER, body: back }]))
    expect(swap).toMatchObject({ type: 'jetton_swap', success: false })
    expect(swap?.details.dex_outgoing_transfer).toMatchObject({ destination: USER, amount: '0' })
  })
})
