import { afterEach, describe, expect, test } from 'vitest'
import { hashKey, makeKey } from '../../../server/access/apiKeys.ts'
import { createAccess, type Limits } from '../../../server/access/createAccess.ts'
import { createFileKeyStore } from '../../../server/access/fileKeyStore.ts'
import type { KeyOrder } from '../../../server/access/keyRecord.ts'
import { type KeyStore, STORE_LAG } from '../../../server/access/keyStore.ts'
import { KeyStoreError } from '../../../server/access/keyStoreError.ts'
import { ApiError } from '../../../shared/errors.ts'
import type { Network } from '../../../shared/network.ts'
import { temporaryFolder } from './temporaryFolder.ts'

const order: KeyOrder = { network: 'testnet', plan: 'free', perSecond: null, label: '', expiresAt: null }
const unauthorized = new ApiError('unauthorized')
const forbidden = new ApiError('forbidden', undefined, { reason: 'network' })

interface Setting {
  readonly network?: Network
  readonly limits?: Limits
}

const open: { close(): Promise<void> }[] = []
afterEach(async () => void (await Promise.all(open.splice(0).map((one) => one.close()))))

async function setup({ network = 'testnet', limits = 'on' }: Setting = {}) {
  const folder = await temporaryFolder()
  const clock = { ms: Date.now() }
  const now = () => clock.ms
  const files = createFileKeyStore(folder, { now })
  const finds: string[] = []
  const store: KeyStore = {
    find: (hash) => {
      finds.push(hash)
      return files.find(hash)
    },
    plan: (name) => files.plan(name),
    known: () => files.known(),
    list: () => files.list(),
    create: (wanted) => files.create(wanted),
    rotate: (id, overlap) => files.rotate(id, overlap),
    change: (id, changes) => files.change(id, changes),
    revoke: (id) => files.revoke(id),
    touch: (hash, at) => files.touch(hash, at),
    close: () => files.close(),
  }
  const access = createAccess({ network, limits, store, now })
  open.push(access)
  return { access, store, clock, finds, operator: createFileKeyStore(folder, { now }) }
}

const settle = async (run: () => unknown): Promise<unknown> => {
  try {
    return await run()
  } catch (error) {
    return error
  }
}

test('close: also where several processes count budgets together', async () => {
  let isClosed = false
  const ledger = {
    add: async () => [],
    close() {
      isClosed = true
    },
  }
  const store = createFileKeyStore(await temporaryFolder())
  await createAccess({ network: 'testnet', limits: 'on', store, ledger }).close()
  expect(isClosed).toBe(true)
})

describe('all accounts', () => {
  test.each([
    ['devnet', 'auto', '127.0.0.1', true],
    ['custom', 'auto', '::1', true],
    ['devnet', 'off', '127.0.0.1', true],
    ['devnet', 'on', '127.0.0.1', false],
    ['devnet', 'auto', '203.0.113.7', false],
    ['devnet', 'off', '203.0.113.7', false],
    ['testnet', 'auto', '127.0.0.1', false],
    ['mainnet', 'off', '127.0.0.1', false],
  ] as const)('without a key: %s, limits %s, from %s: %s', async (network, limits, address, may) => {
    const { access } = await setup({ network, limits })
    const { allAccounts = false } = await access.identify(undefined, address)
    expect(allAccounts).toBe(may)
  })

  test.each(['on', 'off'] as const)('with limits %s a key has the right it was issued with', async (limits) => {
    const { access, operator } = await setup({ limits })
    const order = { network: 'testnet', plan: 'free', perSecond: null, label: '', expiresAt: null } as const
    const plain = await operator.create(order)
    const allowed = await operator.create({ ...order, allAccounts: true })
    expect(await access.identify(plain.key, '203.0.113.7')).not.toHaveProperty('allAccounts')
    expect(await access.identify(allowed.key, '203.0.113.7')).toMatchObject({ allAccounts: true })
  })
})

describe('without a key', () => {
  test.each([undefined, ''])('default: %j is a caller by address, once a second', async (key) => {
    const { access, clock } = await setup()
    const caller = access.identify(key, '203.0.113.7')
    expect(caller).toEqual({ subject: '203.0.113.7', keyId: null, tier: { name: 'keyless', perSecond: 1 } })
    if (caller instanceof Promise) throw new Error('not at once')
    expect(access.peek(caller)).toMatchObject({ allowed: true, remaining: 1 })
    expect(access.spend(caller, 1)).toMatchObject({ allowed: true, remaining: 0 })
    expect(access.spend(caller, 1)).toMatchObject({ allowed: false, retryAfter: 1 })
    clock.ms += 1000
    expect(access.spend(caller, 1)).toMatchObject({ allowed: true })
  })

  test('behavior: calls that are refused are counted apart', async () => {
    const { access } = await setup()
    const caller = await access.identify(undefined, '203.0.113.7')
    for (let i = 0; i < 3; i++) await access.spend(caller, 1)
    expect([...access.plans]).toEqual([{ plan: 'keyless', charged: 1, refused: 2 }])
  })

  test('behavior: a /64 shares one budget', async () => {
    const { access } = await setup()
    const one = await access.identify(undefined, '2001:db8::1')
    const two = await access.identify(undefined, '2001:db8::2')
    expect((await access.spend(one, 1))?.allowed).toBe(true)
    expect((await access.spend(two, 1))?.allowed).toBe(false)
  })

  test.each([
    ['auto', 'devnet', '127.0.0.1', true],
    ['auto', 'devnet', '::1', true],
    ['auto', 'devnet', '::ffff:127.0.0.1', true],
    ['auto', 'devnet', '203.0.113.7', false],
    ['auto', 'devnet', 'unknown', false],
    ['auto', 'custom', '127.0.0.1', true],
    ['auto', 'custom', '203.0.113.7', false],
    ['auto', 'custom', 'unknown', false],
    ['auto', 'testnet', '127.0.0.1', false],
    ['auto', 'mainnet', '::1', false],
    ['on', 'devnet', '127.0.0.1', false],
    ['off', 'mainnet', '203.0.113.7', true],
  ] as const)('args: limits %s on %s from %s: unlimited %s', async (limits, network, address, unlimited) => {
    const { access } = await setup({ limits, network })
    const caller = await access.identify(undefined, address)
    expect(caller.tier === null).toBe(unlimited)
    expect(access.spend(caller, 5) === null).toBe(unlimited)
    expect(access.peek(caller) === null).toBe(unlimited)
  })
})

describe('with a key', () => {
  test('default: looked up once, then known at once', async () => {
    const { access, operator, finds } = await setup()
    const { key, record } = await operator.create(order)
    const first = access.identify(key, '203.0.113.7')
    expect(first).toBeInstanceOf(Promise)
    const tier = expect.objectContaining({ name: 'free', perSecond: 10 })
    const caller = { subject: record.id, keyId: record.id, tier }
    expect(await first).toEqual(caller)
    expect(access.identify(key, '198.51.100.1')).toEqual(caller)
    expect(finds).toEqual([hashKey(key)])
  })

  test('behavior: the use of a key that is read while the service stops is kept', async () => {
    const { access, operator } = await setup()
    const { key } = await operator.create(order)
    const identified = access.identify(key, '')
    await access.close()
    await identified
    expect(await operator.list()).toMatchObject([{ lastUsedAt: expect.any(Number) }])
  })

  test('behavior: many calls of one fresh key ask once', async () => {
    const { access, operator, finds } = await setup()
    const { key } = await operator.create(order)
    await Promise.all(Array.from({ length: 50 }, () => access.identify(key, '203.0.113.7')))
    expect(finds).toHaveLength(1)
  })

  test('args: a custom plan, and limits that are off', async () => {
    const { access, operator } = await setup()
    const { key } = await operator.create({ ...order, plan: 'custom', perSecond: 5000 })
    expect((await access.identify(key, '')).tier).toMatchObject({ name: 'custom', perSecond: 5000 })
    const free = await setup({ limits: 'off' })
    const other = await free.operator.create(order)
    expect((await free.access.identify(other.key, '')).tier).toBeNull()
    expect(await settle(() => free.access.identify(key, ''))).toEqual(unauthorized)
  })

  test('behavior: a key keeps its plan from this machine on the embedded chain', async () => {
    const { access, operator } = await setup({ network: 'devnet', limits: 'auto' })
    const { key } = await operator.create({ ...order, network: 'devnet' })
    expect((await access.identify(key, '127.0.0.1')).tier?.name).toBe('free')
  })

  test('behavior: both secrets of a rotated key share one budget, the old one ends with the overlap', async () => {
    const { access, operator, clock } = await setup()
    const first = await operator.create(order)
    const second = await operator.rotate(first.record.id, 10_000)
    const old = await access.identify(first.key, '')
    const fresh = await access.identify(second.key, '')
    expect((await access.spend(old, 10))?.allowed).toBe(true)
    expect((await access.spend(fresh, 1))?.allowed).toBe(false)
    clock.ms += 9_999
    await access.identify(first.key, '')
    clock.ms += 1
    expect(() => access.identify(first.key, '')).toThrow(unauthorized)
    expect(await access.identify(second.key, '')).toMatchObject({ keyId: first.record.id })
  })

  test('behavior: a revocation by another process takes effect within two seconds', async () => {
    const { access, operator, clock } = await setup()
    const { key, record } = await operator.create(order)
    await access.identify(key, '')
    await operator.revoke(record.id)
    clock.ms += 2_000
    expect(await settle(() => access.identify(key, ''))).toEqual(unauthorized)
  })

  test('behavior: also when the store had looked just before, and was read just before it would look again', async () => {
    const { access, operator, clock } = await setup()
    const { key, record } = await operator.create(order)
    await settle(() => access.identify(makeKey('testnet'), ''))
    await operator.revoke(record.id)
    clock.ms += STORE_LAG - 1
    await access.identify(key, '')
    clock.ms += 2_000 - (STORE_LAG - 1)
    expect(await settle(() => access.identify(key, ''))).toEqual(unauthorized)
  })

  test('behavior: an answer that took long is as old as its question', async () => {
    const { access, store, clock, finds, operator } = await setup()
    const { key } = await operator.create(order)
    const { find } = store
    store.find = async (hash) => {
      const found = await find(hash)
      clock.ms += 1_000
      return found
    }
    await access.identify(key, '')
    clock.ms += 300
    await access.identify(key, '')
    expect(finds).toHaveLength(2)
  })

  test('behavior: a key used all the time is looked at again, too', async () => {
    const { access, operator, clock } = await setup()
    const { key, record } = await operator.create(order)
    await access.identify(key, '')
    await operator.revoke(record.id)
    const outcomes: unknown[] = []
    for (let i = 0; i < 20; i++) {
      clock.ms += 100
      outcomes.push(await settle(() => access.identify(key, '')))
    }
    expect(outcomes.at(-1)).toEqual(unauthorized)
  })

  test('behavior: a key used again and again is looked at ahead of time, so that no call waits for it', async () => {
    const { access, store, operator, finds, clock } = await setup()
    const { key, record } = await operator.create(order)
    await access.identify(key, '')
    for (let i = 0; i < 4; i++) {
      clock.ms += 700
      expect(access.identify(key, '')).toMatchObject({ keyId: record.id })
      // What was begun before has ended then.
      await store.find('')
      await settle(() => access.identify(makeKey('testnet'), ''))
    }
    expect(finds.filter((hash) => hash === hashKey(key))).toHaveLength(5)
  })

  test('behavior: an expired key is refused at that moment', async () => {
    const { access, operator, clock } = await setup()
    const { key } = await operator.create({ ...order, expiresAt: clock.ms + 1000 })
    await access.identify(key, '')
    clock.ms += 999
    expect(access.identify(key, '')).toMatchObject({ keyId: expect.any(String) })
    clock.ms += 1
    expect(() => access.identify(key, '')).toThrow(unauthorized)
  })

  test('behavior: last use is noted, of accepted keys only, and written on close', async () => {
    const { access, operator, clock } = await setup()
    const used = await operator.create(order)
    const revoked = await operator.create(order)
    await operator.revoke(revoked.record.id)
    await access.identify(used.key, '')
    await settle(() => access.identify(revoked.key, ''))
    await access.close()
    const times = new Map((await operator.list()).map((record) => [record.id, record.lastUsedAt]))
    expect([times.get(used.record.id), times.get(revoked.record.id)]).toEqual([clock.ms, null])
  })
})

describe('keys that are refused', () => {
  test('error: the texts are those of the error table', () => {
    expect([unauthorized.message, forbidden.message]).toEqual(['API key does not exist', 'Network not allowed'])
  })

  test.each([
    '__proto__',
    'constructor',
    '\0',
    ' ',
    'null',
    'tonrpc_testnet_',
    `tonrpc_moonnet_${'A'.repeat(43)}`,
    `tonrpc_testnet_${'A'.repeat(42)}\0`,
    'x'.repeat(10_000),
    makeKey('testnet').padEnd(10_000, 'A'),
    makeKey('mainnet').padEnd(129, 'A'),
  ])('error: the malformed %j does not reach the store', async (key) => {
    for (const limits of ['on', 'off'] as const) {
      const { access, finds } = await setup({ limits })
      expect(() => access.identify(key, '203.0.113.7')).toThrow(unauthorized)
      expect(finds).toEqual([])
    }
  })

  test('error: one that was never issued, cached for a moment', async () => {
    const { access, finds, clock } = await setup()
    const key = makeKey('testnet')
    await expect(access.identify(key, '')).rejects.toEqual(unauthorized)
    expect(() => access.identify(key, '')).toThrow(unauthorized)
    // Not looked at ahead of time: there is no call worth it.
    clock.ms += 700
    expect(() => access.identify(key, '')).toThrow(unauthorized)
    expect(finds).toHaveLength(1)
    clock.ms += 2_000
    await expect(access.identify(key, '')).rejects.toEqual(unauthorized)
    expect(finds).toHaveLength(2)
  })

  test('error: one that is gone since it was used, cached for a moment too', async () => {
    const { access, operator, finds, clock } = await setup()
    const { key, record } = await operator.create(order)
    await access.identify(key, '')
    // The first rotation ends its secret, the second one drops it.
    for (let i = 0; i < 2; i++) {
      await operator.rotate(record.id, 0)
      clock.ms += 2_000
    }
    finds.length = 0
    for (let i = 0; i < 3; i++) expect(await settle(() => access.identify(key, ''))).toEqual(unauthorized)
    expect(finds).toHaveLength(1)
  })

  test("error: another network's prefix, without asking", async () => {
    const { access, finds } = await setup()
    expect(() => access.identify(makeKey('mainnet'), '')).toThrow(forbidden)
    expect(() => access.identify(makeKey('devnet'), '127.0.0.1')).toThrow(forbidden)
    expect(finds).toEqual([])
  })

  test("error: another network's record behind a prefix of ours", async () => {
    const { access, store, operator } = await setup()
    const { key, record } = await operator.create(order)
    store.find = async () => ({ ...record, network: 'mainnet' })
    await expect(access.identify(key, '')).rejects.toEqual(forbidden)
  })

  test('behavior: a flood of made-up keys does not push a real one out', async () => {
    const { access, operator, finds } = await setup()
    const { key } = await operator.create(order)
    await access.identify(key, '')
    for (let i = 0; i < 12_000; i++) await settle(() => access.identify(makeKey('testnet'), ''))
    expect(access.identify(key, '')).toMatchObject({ keyId: expect.any(String) })
    expect(finds).toHaveLength(12_001)
  })

  test('error: a store that fails is not a bad key, and the next call asks again', async () => {
    const { access, store, operator } = await setup()
    const { key } = await operator.create(order)
    const find = store.find
    store.find = () => Promise.reject(new Error('disk'))
    await expect(access.identify(key, '')).rejects.toThrow('disk')
    store.find = find
    expect(await access.identify(key, '')).toMatchObject({ keyId: expect.any(String) })
  })

  test('error: a store that is busy is said to be, and to come back in a second; one that is damaged is no such case', async () => {
    const { access, store, operator } = await setup()
    const { key } = await operator.create(order)
    store.find = () => Promise.reject(new KeyStoreError('busy', 'of the operator'))
    await expect(access.identify(key, '')).rejects.toMatchObject({
      kind: 'busy',
      message: 'Keys cannot be read now',
      data: { retryAfter: 1 },
    })
    store.find = () => Promise.reject(new KeyStoreError('damaged', 'of the operator'))
    await expect(access.identify(key, '')).rejects.toMatchObject({ name: 'KeyStoreError', reason: 'damaged' })
  })
})
