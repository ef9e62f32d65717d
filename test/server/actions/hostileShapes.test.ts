// Large traces of hostile shapes: each takes time in proportion.

import { expect, test } from 'vitest'
import { classifyingTrace, classifyTrace, gatherFacts } from '../../../server/actions/index.ts'
import { beginCell, type Cell, writeBoc } from '../../../server/cell/index.ts'
import { snake } from '../../setup/madeContents.ts'
import { largeTraces } from './largeTraces.ts'
import { internalBody, noticeBody, transferBody } from './made/bodies.ts'
import { account, address, call, known, type Step, traceOf } from './madeFlows.ts'
import { message, trace, transaction } from './madeTraces.ts'

/** Of this process: whatever else the machine does costs none of it. */
const MOST_MS = 4000

test('4,000 transactions of any shape are classified in a bounded time', () => {
  for (const { name, trace: input, facts } of largeTraces(12)) {
    const before = process.cpuUsage()
    const { actions, failure } = classifyTrace(input, facts)
    const { user, system } = process.cpuUsage(before)
    expect([failure, actions.length > 0], name).toEqual([null, true])
    expect((user + system) / 1000, name).toBeLessThan(MOST_MS)
  }
})

test('4,000 transactions are classified in pieces: of a rule, of plain blocks and of actions a hundred at a time', () => {
  const [{ trace, facts } = { trace: null, facts: new Map() }] = largeTraces(1000)
  if (trace === null) throw new Error('no trace')
  let seen = 0
  const none = { name: 'none', match: () => null }
  const begins = () => {
    seen++
    return false
  }
  const work = classifyingTrace(trace, facts, [
    { ...none, begins },
    { ...none, begins },
  ])
  const pieces: number[] = []
  for (let isDone = false; !isDone; seen = 0) {
    isDone = work.next().done === true
    pieces.push(seen)
  }
  const { length } = trace.transactions
  expect(pieces.reduce((sum, count) => sum + count)).toBe(2 * length)
  expect(Math.max(...pieces)).toBeLessThanOrEqual(100)
  // The tree, the plain blocks and the actions are as many pieces each.
  expect(pieces.filter((count) => count === 0).length).toBeGreaterThanOrEqual((3 * length) / 100 - 3)
})

test('transfers with long comments are read a few at a time', () => {
  const numbered = (i: number): string => `0:${i.toString(16).toUpperCase().padStart(64, '0')}`
  const piecesWith = (bytes: number): number => {
    const body = snake(new Uint8Array(bytes).fill(0x61), [0, 0, 0, 0])
    const sent = Array.from({ length: 200 }, (_, i) =>
      message({ source: numbered(0), destination: numbered(i + 1), lt: BigInt(i + 2), body }),
    )
    const first = transaction({ account: numbered(0), in: message({ source: null, destination: numbered(0) }) })
    const others = sent.map((one, i) => transaction({ account: numbered(i + 1), in: one }))
    return [...classifyingTrace(trace({ ...first, outMessages: sent }, ...others), new Map())].length
  }
  expect(piecesWith(30_000) - piecesWith(10)).toBeGreaterThan(80)
})

test('data of a contract is read once, however many requests go to it', async () => {
  let count = 0
  const tree = (depth: number): Cell => {
    const builder = beginCell().storeUint(count++, 64).storeBytes(Buffer.alloc(90))
    for (let i = 0; depth > 0 && i < 4; i++) builder.storeRef(tree(depth - 1))
    return builder.end()
  }
  const SENDER = account('1')
  const CONTRACT = account('2')
  const data = writeBoc(address(beginCell(), SENDER).storeRef(tree(7)).end())
  const body = call(0x499a9262).storeCoins(1n).end()
  const sent = Array.from({ length: 200 }, (_, i) =>
    message({ source: SENDER, destination: CONTRACT, lt: BigInt(i + 2), body }),
  )
  const first = transaction({ account: SENDER, in: message({ source: null, destination: SENDER }), outMessages: sent })
  const input = trace(first, ...sent.map((one) => transaction({ account: CONTRACT, in: one, aborted: true })))
  const before = process.cpuUsage()
  const facts = await gatherFacts([input], {
    facts: async () => [],
    data: async (accounts) => (accounts.has(CONTRACT) ? [[CONTRACT, data]] : []),
  })
  const { actions } = classifyTrace(input, facts)
  const { user, system } = process.cpuUsage(before)
  expect(actions.filter(({ type }) => type === 'jvault_unstake').length).toBe(200)
  expect((user + system) / 1000).toBeLessThan(MOST_MS)
})

test('sides of deposits on STON.fi that all wait for one other side are compared with few', () => {
  const [USER, ROUTER, POOL, KEEPER] = ['1', '2', '3', '4'].map((digit) => account(digit)) as [
    ...(readonly [string, string, string, string]),
  ]
  const [WALLET, ROUTERS] = [account('A'), account('C')]
  const walletOf = (owner: string) => known({ jettonWallet: { owner, jetton: account('6') } })
  const provide = (amounts: readonly [bigint, bigint], leads: readonly Step[]): Step => ({
    from: ROUTER,
    to: POOL,
    body: address(call(0x37c096df), USER).storeCoins(amounts[0]).storeCoins(amounts[1]).end(),
    leads: [{ from: POOL, to: KEEPER, body: call(0x50c6a654).end(), leads }],
  })
  const payload = beginCell().end()
  const transfer = (leads: readonly Step[]): Step => {
    const notice = { from: ROUTERS, to: ROUTER, body: noticeBody(5n, USER, payload), leads }
    const internal = { from: WALLET, to: ROUTERS, body: internalBody(5n, USER, payload), leads: [notice] }
    return { from: USER, to: WALLET, body: transferBody(5n, ROUTER, USER, payload), leads: [internal] }
  }
  const waiting = Array.from({ length: 7 }, () => transfer(Array.from({ length: 250 }, () => provide([5n, 0n], []))))
  const toPool = { from: KEEPER, to: POOL, body: call(0x06ecd527).end() }
  const input = traceOf({ from: null, to: USER, leads: [...waiting, transfer([provide([0n, 5n], [toPool])])] })
  const facts = new Map([
    [WALLET, walletOf(USER)],
    [ROUTERS, walletOf(ROUTER)],
  ])
  const before = process.cpuUsage()
  const { actions } = classifyTrace(input, facts)
  const { user, system } = process.cpuUsage(before)
  expect(actions.some(({ type }) => type === 'dex_deposit_liquidity')).toBe(true)
  expect((user + system) / 1000).toBeLessThan(MOST_MS)
})
