import { expect, test } from 'vitest'
import { writeBoc } from '../../../../server/cell/index.ts'
import { createFaucet } from '../../../../server/devchain/index.ts'
import { PendingMessages } from '../../../../server/methods/pending/pendingMessages.ts'

const faucet = createFaucet({ send: async () => undefined })
const someMessage = (): Uint8Array =>
  writeBoc(faucet.request([{ to: { workchain: 0, hash: new Uint8Array(32) }, amount: 1n }]))

test('default: messages are kept in order, each once', () => {
  const pool = new PendingMessages()
  const [one, other] = [someMessage(), someMessage()]
  for (const boc of [one, other, one]) pool.add(boc)
  expect(pool.all().map(({ cell }) => Buffer.from(writeBoc(cell)))).toEqual([Buffer.from(one), Buffer.from(other)])
})

test('behavior: the oldest make room for more than fit', () => {
  const pool = new PendingMessages({ messages: 3 })
  const bocs = Array.from({ length: 5 }, someMessage)
  for (const boc of bocs) pool.add(boc)
  expect(pool.all().map(({ cell }) => Buffer.from(writeBoc(cell)))).toEqual(
    bocs.slice(2).map((boc) => Buffer.from(boc)),
  )
})

test('behavior: a message that no block took in time is unknown again, and can be added again', () => {
  let now = 0
  const pool = new PendingMessages({ lifetimeMs: 1000 }, () => now)
  const boc = someMessage()
  pool.add(boc)
  const [{ hashNorm } = { hashNorm: new Uint8Array() }] = pool.all()
  now = 1000
  expect(pool.has(hashNorm)).toBe(true)
  now = 1001
  expect(pool.has(hashNorm)).toBe(false)
  expect(pool.isEmpty).toBe(true)
  pool.add(boc)
  expect(pool.has(hashNorm)).toBe(true)
})
