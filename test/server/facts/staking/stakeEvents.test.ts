// Which transactions are stakes on their way to the elector or back, and which only look like it.

import { expect, test } from 'vitest'
import { beginCell, type Cell } from '../../../../server/cell/index.ts'
import { accountKey, stakeEvent } from '../../../../server/facts/index.ts'
import { made, OF_ELECTOR, OF_POOL, transactionOf } from './madeTransactions.ts'

const STAKE = 0x4e73744b
const RECOVER = 0x47657424
const ACCEPTED = 0xf374484c
const REJECTED = 0xee6f454c
const RECOVERED = 0xf96f7324
const NOTHING = 0xfffffffe
const coin = 1_000_000_000n

const said = (op: number, queryId = 7n) => beginCell().storeUint(op, 32).storeUint(queryId, 64)
const offer = (queryId = 7n): Cell =>
  said(STAKE, queryId)
    .storeBytes(new Uint8Array(32).fill(1))
    .storeUint(1700000900, 32)
    .storeUint(3 << 16, 32)
    .storeBytes(new Uint8Array(32).fill(2))
    .storeRef(beginCell().end())
    .end()

interface Parts {
  readonly body?: Cell
  readonly value?: bigint
  readonly answer?: { readonly body: Cell; readonly value?: bigint; readonly to?: typeof OF_POOL }
  readonly description?: string
  readonly bounced?: boolean
}

/** At the elector, from the pool. */
function atElector({ body = offer(), value = 101n * coin, answer, ...more }: Parts) {
  const inMessage = made({ source: OF_POOL, destination: OF_ELECTOR, value, body, bounced: more.bounced ?? false })
  const { body: said = beginCell().end(), value: back = coin, to = OF_POOL } = answer ?? {}
  const sent = answer === undefined ? [] : [made({ source: OF_ELECTOR, destination: to, value: back, body: said })]
  const whole = { ...transactionOf(inMessage, sent), account: OF_ELECTOR }
  return stakeEvent(more.description === undefined ? whole : { ...whole, description: more.description }, OF_ELECTOR)
}

/** At the pool, from the elector unless from another. */
const atPool = (body: Cell, source = OF_ELECTOR) =>
  stakeEvent(transactionOf(made({ source, value: 5n * coin, body })), OF_ELECTOR)

const OFFERED = { holder: OF_POOL, publicKey: new Uint8Array(32).fill(1), adnl: new Uint8Array(32).fill(2) }

test('a stake that is confirmed', () => {
  expect(atElector({ answer: { body: said(ACCEPTED).storeUint(0, 32).end() } })).toMatchObject({
    type: 'stake_accepted',
    ...OFFERED,
    electionId: 1700000900,
    queryId: 7n,
    amount: 100n * coin,
    reason: null,
  })
})

test('a stake that asks for no answer, and gets none', () => {
  expect(atElector({ body: offer(0n) })).toMatchObject({ type: 'stake_accepted', queryId: 0n, amount: 100n * coin })
  expect(atElector({ body: offer(5n) })).toBeNull()
})

test('a stake that is refused, with the reason and all of the value', () => {
  const answer = { body: said(REJECTED).storeUint(5, 32).end(), value: 101n * coin }
  expect(atElector({ answer })).toMatchObject({
    type: 'stake_rejected',
    ...OFFERED,
    electionId: 1700000900,
    reason: 5,
    amount: 101n * coin,
  })
})

test('an answer to another query, or to another account, is none', () => {
  expect(atElector({ answer: { body: said(ACCEPTED, 8n).end() } })).toBeNull()
  expect(
    atElector({ answer: { body: said(ACCEPTED).end(), to: accountKey(-1, new Uint8Array(32).fill(9)) } }),
  ).toBeNull()
})

test('what is taken back: requested, paid, or nothing there', () => {
  expect(atElector({ body: said(RECOVER).end(), value: coin })).toMatchObject({
    type: 'recover_requested',
    holder: OF_POOL,
    amount: coin,
    publicKey: null,
    electionId: null,
  })
  const paid = { holder: OF_POOL, amount: 5n * coin, queryId: 7n, adnl: null }
  expect(atPool(said(RECOVERED).end())).toMatchObject({ type: 'stake_recovered', ...paid })
  expect(atPool(said(NOTHING).storeUint(RECOVER, 32).end())).toMatchObject({ type: 'recover_failed', ...paid })
})

test('what others say in the words of the elector, or fails, or is cut short, is no event', () => {
  const stranger = accountKey(-1, new Uint8Array(32).fill(8))
  expect(atPool(said(RECOVERED).end(), stranger)).toBeNull()
  expect(atPool(beginCell().storeUint(RECOVERED, 32).end())).toBeNull()
  expect(atPool(said(1).end())).toBeNull()
  const answer = { body: said(ACCEPTED).end() }
  expect(atElector({ answer, description: '{"type":"ord","aborted":true}' })).toBeNull()
  expect(atElector({ answer, bounced: true })).toBeNull()
  expect(atElector({ answer, body: said(STAKE).storeUint(1, 256).end() })).toBeNull()
  expect(stakeEvent(transactionOf(made({ source: OF_POOL, value: coin, body: offer() })), OF_ELECTOR)).toBeNull()
})
