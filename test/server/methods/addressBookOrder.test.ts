// The address book as text: each account once, in the order of raw addresses, and never with an earlier name.

import { expect, test } from 'vitest'
import { charsOfKey, keyOfAccount } from '../../../server/methods/keyOfAccount.ts'
import { createAddressBook } from '../../../server/methods/v3/names/addressBook.ts'

const { write, make } = createAddressBook({ store: { query: () => Promise.resolve([]) }, testOnly: true })

const charsOf = (workchain: number, hash: string): string =>
  charsOfKey(keyOfAccount({ workchain, hash: Buffer.from(hash, 'hex') }))

test('all workchains, and hashes that differ at their beginning or only at their end', async () => {
  const hashes = ['00', 'ff', '9a', 'a9'].flatMap((byte) => [byte.repeat(32), `${byte.repeat(31)}55`])
  const accounts = [-128, -10, -2, -1, 0, 1, 2, 10, 127].flatMap((workchain) =>
    hashes.map((hash) => ({ chars: charsOf(workchain, hash), raw: `${workchain}:${hash.toUpperCase()}` })),
  )
  const keys = accounts.map(({ chars }) => chars)
  const { json } = await write([...keys.toReversed(), ...keys], [])
  expect(Object.keys(JSON.parse(json))).toEqual(accounts.map(({ raw }) => raw).sort())
})

test('an account that got another code, other interfaces or another name is written anew', async () => {
  const chars = charsOf(0, '12'.repeat(32))
  const entryOf = async (codeHash: Uint8Array | null, interfaces: string[], domain: string | null) => {
    const { json } = await write([chars], [{ chars, codeHash, interfaces, domain }])
    return Object.values(JSON.parse(json))
  }
  // A contract that is no simple wallet has a bounceable address.
  expect(await entryOf(null, [], null)).toMatchObject([{ user_friendly: expect.stringMatching(/^0Q/) }])
  expect(await entryOf(new Uint8Array(32), [], null)).toMatchObject([{ user_friendly: expect.stringMatching(/^kQ/) }])
  expect(await entryOf(new Uint8Array(32), ['a'], null)).toMatchObject([{ interfaces: ['a'], domain: null }])
  expect(await entryOf(new Uint8Array(32), ['b'], null)).toMatchObject([{ interfaces: ['b'] }])
  expect(await entryOf(new Uint8Array(32), ['b'], 'a.ton')).toMatchObject([{ domain: 'a.ton' }])
  expect(await entryOf(new Uint8Array(32).fill(1, 31), ['b', 'c'], null)).toMatchObject([{ interfaces: ['b', 'c'] }])
})

test('the text is that of the object', async () => {
  const accounts = [-1, 0, 127].flatMap((workchain) =>
    ['5b', 'ff', 'c3'].map((byte) => charsOf(workchain, byte.repeat(32))),
  )
  const domains = [null, 'a.ton', 'zwölf "quoted" \u2028.ton', null]
  const rows = accounts.slice(2).map((chars, i) => ({
    chars,
    codeHash: i % 3 === 0 ? null : new Uint8Array(32).fill(i),
    interfaces: ['wallet_v4r2', 'ö"\\'].slice(0, i % 3),
    domain: domains[i % domains.length] ?? null,
  }))
  const { json } = await write(accounts, rows)
  expect(json).toBe(JSON.stringify(await make(accounts, rows)))
  expect((await write([], rows)).json).toBe('{}')
})

test('thousands of names are put in order in pieces', async () => {
  const keys = Array.from({ length: 5000 }, (_, i) => charsOf(0, (i * 7919).toString(16).padStart(64, '0')))
  const sort = Array.prototype.sort
  let most = 0
  Array.prototype.sort = function (this: unknown[], ...by) {
    most = Math.max(most, this.length)
    return sort.apply(this, by)
  }
  try {
    const { json } = await write(keys, [])
    expect(json).toBe(JSON.stringify(await make(keys, [])))
    expect(Object.keys(JSON.parse(json))).toHaveLength(keys.length)
  } finally {
    Array.prototype.sort = sort
  }
  expect(most).toBeLessThanOrEqual(1000)
})
