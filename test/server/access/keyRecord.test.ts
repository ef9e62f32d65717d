import { describe, expect, test } from 'vitest'
import { hashKey } from '../../../server/access/apiKeys.ts'
import { changeKey, issueKey, type KeyOrder, keyState, revokeKey, rotateKey } from '../../../server/access/keyRecord.ts'

const HOUR = 3_600_000
const order: KeyOrder = { network: 'testnet', plan: 'plus', perSecond: null, label: 'wallet', expiresAt: null }

describe('issueKey', () => {
  test('default: a record without the secret', () => {
    const { key, record } = issueKey([], order, 1000)
    expect(record).toEqual({
      ...order,
      monthly: null,
      allAccounts: false,
      id: expect.stringMatching(/^[0-9a-z]{10}$/),
      hash: hashKey(key),
      hint: `tonrpc_testnet_...${key.slice(-4)}`,
      createdAt: 1000,
      revokedAt: null,
      lastUsedAt: null,
    })
    expect(JSON.stringify(record)).not.toContain(key.slice(15, -4))
  })

  test.each([
    ['a rate for a plan that has one', { perSecond: 5 }],
    ['a custom plan without a rate', { plan: 'custom' }],
    ['a custom plan beyond the most', { plan: 'custom', perSecond: 1_000_001 }],
    ['a custom plan of less than the least', { plan: 'custom', perSecond: 0 }],
    ['a quota of nothing', { monthly: 0 }],
    ['a quota of a part of a call', { monthly: 1.5 }],
    ['a label of two lines', { label: 'a\nb' }],
    ['a label with a terminal escape', { label: '\u001b[2J' }],
    ['a label with a null byte', { label: 'a\0' }],
    ['a label that turns the direction of text', { label: 'a\u202eb' }],
    ['a label with half a surrogate pair', { label: 'a\ud800' }],
    ['a label without end', { label: 'x'.repeat(10_000) }],
    ['an end in the past', { expiresAt: 999 }],
    ['an end at this moment', { expiresAt: 1000 }],
    ['an end that is no moment', { expiresAt: Number.NaN }],
  ] satisfies [string, Partial<KeyOrder>][])('error: %s', (_, change) => {
    expect(() => issueKey([], { ...order, ...change }, 1000)).toThrow(expect.objectContaining({ reason: 'refused' }))
  })
})

test.each([
  ['the least rate of a custom plan', { plan: 'custom', perSecond: 1 }],
  ['its highest rate', { plan: 'custom', perSecond: 1_000_000 }],
  ['the smallest quota', { monthly: 1 }],
  ['an end that is next', { expiresAt: 1001 }],
  ['the longest label', { label: 'x'.repeat(100) }],
] satisfies [string, Partial<KeyOrder>][])('a key is issued with %s', (_, change) => {
  expect(issueKey([], { ...order, ...change }, 1000).record).toMatchObject(change)
})

describe('rotateKey', () => {
  test('default: a new secret of the same id, the old one ends after the overlap', () => {
    const first = issueKey([], order, 0)
    const { issued, records } = rotateKey([first.record], first.record.id, 24 * HOUR, HOUR)
    expect(issued.key).not.toBe(first.key)
    expect(issued.record).toMatchObject({ ...order, id: first.record.id, createdAt: HOUR, expiresAt: null })
    expect(records).toEqual([{ ...first.record, expiresAt: 25 * HOUR }, issued.record])
    expect(records.map((record) => keyState(record, 25 * HOUR - 1))).toEqual(['active', 'active'])
    expect(records.map((record) => keyState(record, 25 * HOUR))).toEqual(['expired', 'active'])
  })

  test('args: no overlap ends the old secret at once', () => {
    const first = issueKey([], order, 0)
    const { records } = rotateKey([first.record], first.record.id, 0, HOUR)
    expect(records.map((record) => keyState(record, HOUR))).toEqual(['expired', 'active'])
  })

  test('behavior: rotating never moves an end away, of the key or of an old secret', () => {
    const first = issueKey([], { ...order, expiresAt: 10 * HOUR }, 0)
    const { id } = first.record
    const second = rotateKey([first.record], id, 2 * HOUR, HOUR)
    const third = rotateKey(second.records, id, 24 * HOUR, 2 * HOUR)
    expect(third.records.map((record) => record.expiresAt)).toEqual([3 * HOUR, 10 * HOUR, 10 * HOUR])
  })

  test('behavior: secrets that are over are dropped, other keys stay untouched', () => {
    const other = issueKey([], { ...order, expiresAt: 1 }, 0).record
    const first = issueKey([], order, 0)
    const second = rotateKey([other, first.record], first.record.id, HOUR, 0)
    const third = rotateKey(second.records, first.record.id, HOUR, 2 * HOUR)
    expect(third.records).toEqual([other, { ...second.issued.record, expiresAt: 3 * HOUR }, third.issued.record])
  })

  test('error: no such key, revoked, expired, an overlap that is no time', () => {
    const { record } = issueKey([], { ...order, expiresAt: HOUR }, 0)
    const rotate = (records: Parameters<typeof rotateKey>[0], id: string, overlap: number, now: number) => () =>
      rotateKey(records, id, overlap, now)
    expect(rotate([record], '__proto__', 0, 0)).toThrow(expect.objectContaining({ reason: 'notFound' }))
    expect(rotate(revokeKey([record], record.id, 0), record.id, 0, 0)).toThrow(
      expect.objectContaining({ reason: 'revoked' }),
    )
    expect(rotate([record], record.id, 0, HOUR)).toThrow(expect.objectContaining({ reason: 'expired' }))
    expect(rotate([record], record.id, -1, 0)).toThrow(expect.objectContaining({ reason: 'refused' }))
    for (const no of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(rotate([record], record.id, no, 0)).toThrow(expect.objectContaining({ reason: 'refused' }))
  })
})

describe('revokeKey', () => {
  test('default: ends every secret of the id, and no other', () => {
    const other = issueKey([], order, 0).record
    const first = issueKey([], order, 0)
    const { records } = rotateKey([other, first.record], first.record.id, HOUR, 0)
    const after = revokeKey(records, first.record.id, 5)
    expect(after.map((record) => keyState(record, 5))).toEqual(['active', 'revoked', 'revoked'])
  })

  test('behavior: revoking again keeps the first moment', () => {
    const { record } = issueKey([], order, 0)
    expect(revokeKey(revokeKey([record], record.id, 5), record.id, 9)[0]?.revokedAt).toBe(5)
  })

  test('error: no such key', () => {
    expect(() => revokeKey([], 'absent', 0)).toThrow(expect.objectContaining({ reason: 'notFound' }))
  })
})

describe('changeKey', () => {
  test('default: all secrets of the id, and no other key', () => {
    const first = issueKey([], order, 0)
    const other = issueKey([first.record], order, 0)
    const { records } = rotateKey([first.record, other.record], first.record.id, HOUR, 1)
    const changed = changeKey(records, first.record.id, { allAccounts: true }, 2)
    expect(changed.map(({ id, allAccounts }) => [id, allAccounts])).toEqual(
      records.map(({ id }) => [id, id === first.record.id]),
    )
    expect(rotateKey(changed, first.record.id, HOUR, 3).issued.record.allAccounts).toBe(true)
  })

  test('behavior: a key of which an older secret has ended is changed', () => {
    const { record } = issueKey([], order, 0)
    const { records } = rotateKey([record], record.id, HOUR, 1)
    const changed = changeKey(records, record.id, { allAccounts: true }, 2 * HOUR)
    expect(changed.map(({ allAccounts }) => allAccounts)).toEqual([true, true])
  })

  test('error: no such key, and one that was revoked', () => {
    const { record } = issueKey([], order, 0)
    const change = { allAccounts: true }
    expect(() => changeKey([record], 'other', change, 1)).toThrow(expect.objectContaining({ reason: 'notFound' }))
    const revoked = revokeKey([record], record.id, 1)
    expect(() => changeKey(revoked, record.id, change, 2)).toThrow(expect.objectContaining({ reason: 'revoked' }))
  })
})
