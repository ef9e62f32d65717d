// What a key with a monthly quota may still call, and what of it was used before this process began.

import { expect, onTestFinished, test } from 'vitest'
import { createAccess } from '../../../server/access/createAccess.ts'
import { createFileKeyStore } from '../../../server/access/fileKeyStore.ts'
import { Quotas } from '../../../server/access/quotas.ts'
import { temporaryFolder } from './temporaryFolder.ts'

const NOW = Date.UTC(2026, 10, 30, 23, 0, 0)
const LEFT_S = 3600

async function keyOf(monthly: number | null, used: () => Promise<number> = () => Promise.resolve(0), ofPlan = 0) {
  const clock = { ms: NOW }
  const now = () => clock.ms
  const store = createFileKeyStore(await temporaryFolder(), { now })
  const { plan } = store
  store.plan = (name) => {
    const known = plan(name)
    return known === null || ofPlan === 0 ? known : { ...known, monthly: ofPlan }
  }
  const reads: string[] = []
  const months = async (month: string, ids: readonly string[]) => {
    reads.push(month)
    const total = await used()
    return new Map(ids.map((id) => [id, total]))
  }
  const warned: number[] = []
  const usedThen: number[] = []
  const access = createAccess({
    network: 'testnet',
    limits: 'on',
    store,
    quotas: new Quotas(now),
    usage: { months },
    now,
    onQuota(_, percent, quota) {
      warned.push(percent)
      usedThen.push(quota.used)
    },
  })
  onTestFinished(() => access.close())
  const { key } = await store.create({
    network: 'testnet',
    plan: 'free',
    perSecond: null,
    label: '',
    expiresAt: null,
    monthly,
  })
  const identify = async () => await access.identify(key, '203.0.113.7')
  return { access, clock, identify, reads, warned, usedThen }
}

test('the last call of a quota passes, and none after it until the month ends', async () => {
  const { access, clock, identify, warned, usedThen } = await keyOf(4)
  const caller = await identify()
  expect(await access.spend(caller, 3)).toMatchObject({ allowed: true, quota: { limit: 4, used: 3 } })
  expect(access.peek(caller)).toMatchObject({ allowed: true, quota: { used: 3 } })
  expect(await access.spend(caller, 1)).toMatchObject({ allowed: true, quota: { used: 4 } })
  const over = { allowed: false, remaining: 0, retryAfter: LEFT_S, quota: { limit: 4, used: 4, resetAfter: LEFT_S } }
  expect(access.peek(caller)).toMatchObject(over)
  expect(await access.spend(caller, 1)).toMatchObject(over)
  expect([warned, usedThen]).toEqual([[100], [4]])
  clock.ms += LEFT_S * 1000
  expect(await access.spend(caller, 1)).toMatchObject({ allowed: true, quota: { used: 1 } })
})

test('a call that is refused for its rate takes nothing of the quota', async () => {
  const { access, identify } = await keyOf(100)
  const caller = await identify()
  expect(await access.spend(caller, 10)).toMatchObject({ allowed: true, quota: { used: 10 } })
  expect(await access.spend(caller, 1)).toMatchObject({ allowed: false, retryAfter: 1, quota: { used: 10 } })
  expect(access.peek(caller)).toMatchObject({ allowed: false, quota: { used: 10 } })
})

test('what was used of it before this process began counts, and is read once', async () => {
  const { access, clock, identify, reads } = await keyOf(4, () => Promise.resolve(3))
  expect(access.peek(await identify())).toMatchObject({ allowed: true, quota: { used: 3 } })
  clock.ms += 5_000
  expect(await access.spend(await identify(), 1)).toMatchObject({ allowed: true, quota: { used: 4 } })
  expect(await access.spend(await identify(), 1)).toMatchObject({ allowed: false })
  expect(reads).toEqual(['2026-11'])
})

test('while that cannot be read calls pass, and it is read later', async () => {
  let isAway = true
  const used = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(4))
  const { access, clock, identify, reads } = await keyOf(4, used)
  expect(access.peek(await identify())).toMatchObject({ allowed: true, quota: { used: 0 } })
  isAway = false
  clock.ms += 5_000
  expect(access.peek(await identify())).toMatchObject({ allowed: false, quota: { used: 4 } })
  expect(reads).toHaveLength(2)
})

test('a call that comes while it is read does not hide what was used', async () => {
  let answer = (_used: number): void => undefined
  const used = new Promise<number>((resolve) => {
    answer = resolve
  })
  const { access, identify, reads } = await keyOf(4, () => used)
  const first = identify()
  await expect.poll(() => reads).toHaveLength(1)
  expect(access.spend(await identify(), 1)).toMatchObject({ allowed: true, quota: { used: 1 } })
  answer(3)
  const caller = await first
  expect(access.peek(caller)).toMatchObject({ allowed: false, quota: { limit: 4, used: 4 } })
  expect(access.spend(caller, 1)).toMatchObject({ allowed: false })
})

test('a quota of its own goes before that of its plan', async () => {
  const none = () => Promise.resolve(0)
  const own = await keyOf(4, none, 2)
  expect(own.access.peek(await own.identify())).toMatchObject({ quota: { limit: 4 } })
  const planned = await keyOf(null, none, 2)
  expect(planned.access.peek(await planned.identify())).toMatchObject({ quota: { limit: 2 } })
})

test('for a key without a quota nothing is read', async () => {
  const { access, identify, reads } = await keyOf(null)
  expect(await access.spend(await identify(), 1)).not.toHaveProperty('quota')
  expect(reads).toEqual([])
})
