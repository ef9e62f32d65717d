// Several processes that spend the budgets one of them keeps: here, several accesses over one keeper and its still clock.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAccess, createFileKeyStore, createRemoteAccess, type Tier } from '../../../server/access/index.ts'

async function setUp() {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-remote-'))
  const store = createFileKeyStore(data)
  const options = { network: 'devnet', limits: 'on' } as const
  const kept = createAccess({ ...options, store, now: () => 1_000_000 })
  onTestFinished(async () => {
    await kept.close()
    await rm(data, { recursive: true, force: true })
  })
  let requested = 0
  const keeper = {
    async identify(key: string, address: string) {
      requested++
      return await kept.identify(key, address)
    },
    spend: async (...spent: Parameters<typeof kept.spend>) => await kept.spend(...spent),
  }
  const accesses = [1, 2, 3].map(() => createRemoteAccess(options, keeper))
  return { accesses, store, requested: () => requested }
}

const TIER: Tier = { name: 'test', perSecond: 10 }

test('ten calls pass, over however many processes they come', async () => {
  const { accesses } = await setUp()
  const caller = { subject: 'me', keyId: null, tier: TIER }
  const spent = await Promise.all(Array.from({ length: 30 }, (_, i) => accesses[i % 3]?.spend(caller, 1)))
  expect(spent.filter((budget) => budget?.allowed)).toHaveLength(10)
})

test('a caller with nothing left is known to the process that met it', async () => {
  const { accesses } = await setUp()
  const [access] = accesses
  const caller = { subject: 'me', keyId: null, tier: TIER }
  for (let i = 0; i < 10; i++) await access?.spend(caller, 1)
  expect(access?.peek(caller)).toBeNull()
  await access?.spend(caller, 1)
  expect(access?.peek(caller)).toMatchObject({ allowed: false, tier: TIER })
})

test('a monthly quota that is raised is no longer taken for used up', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const quota = { limit: 1, used: 1, resetAfter: 1_000_000 }
  const budget = { allowed: false, tier: TIER, remaining: 0, resetAfter: 0, retryAfter: 1_000_000, quota }
  const keeper = { identify: () => Promise.reject(new Error('not asked')), spend: () => Promise.resolve(budget) }
  const access = createRemoteAccess({ network: 'devnet', limits: 'on' }, keeper)
  const caller = { subject: 'me', keyId: 'me', tier: TIER, monthly: 1 }
  await access.spend(caller, 1)
  expect(access.peek(caller)).toEqual(budget)
  now += 2_000
  expect(access.peek(caller)).toBeNull()
})

test('a key is known for a moment from when its keeper was asked', async () => {
  let now = 0
  let answerMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const caller = { subject: 'me', keyId: 'me', tier: TIER }
  const identify = vi.fn(async () => {
    now += answerMs
    return caller
  })
  const access = createRemoteAccess({ network: 'devnet', limits: 'on' }, { identify, spend: async () => null })
  for (let i = 0; i < 2; i++) expect(await access.identify('key', '10.1.2.3')).toEqual(caller)
  expect(identify).toHaveBeenCalledTimes(1)
  answerMs = 100
  for (let i = 0; i < 2; i++) await access.identify('other', '10.1.2.3')
  expect(identify).toHaveBeenCalledTimes(3)
})

test('a caller without limits costs no question, and none without a key is looked up', async () => {
  const { accesses, requested } = await setUp()
  const [access] = accesses
  expect(access?.spend({ subject: 'me', keyId: null, tier: null }, 1)).toBeNull()
  expect(access?.identify(undefined, '10.1.2.3')).toMatchObject({ subject: '10.1.2.3', keyId: null })
  expect(requested()).toBe(0)
})

test('a key is found by the keeper; one that is unknown is refused as there', async () => {
  const { accesses, store } = await setUp()
  const order = { network: 'devnet', plan: 'free', perSecond: null, label: '', expiresAt: null } as const
  const { key, record } = await store.create(order)
  for (const access of accesses) expect(await access.identify(key, '10.1.2.3')).toMatchObject({ keyId: record.id })
  const unknown = `${key.slice(0, -4)}aaaa`
  await expect(accesses[0]?.identify(unknown, '10.1.2.3')).rejects.toMatchObject({ kind: 'unauthorized' })
})
