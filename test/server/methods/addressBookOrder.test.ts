// The address book as text: each account once, in the order of raw addresses, and never with an earlier name.

import { expect, test } from 'vitest'
import { keyOfAccount } from '../../../server/methods/keyOfAccount.ts'
import { createAddressBook } from '../../../server/methods/v3/addressBook.ts'

const { write } = createAddressBook({ store: { query: () => Promise.resolve([]) }, testOnly: true })

const hexOf = (workchain: number, hash: string): string =>
  Buffer.from(keyOfAccount({ workchain, hash: Buffer.from(hash, 'hex') }))
    .toString('hex')
    .toUpperCase()

test('all workchains, and hashes that differ at their beginning or only at their end', async () => {
  const hashes = ['00', 'ff', '9a', 'a9'].flatMap((byte) => [byte.repeat(32), `${byte.repeat(31)}55`])
  const accounts = [-128, -10, -2, -1, 0, 1, 2, 10, 127].flatMap((workchain) =>
    hashes.map((hash) => ({ hex: hexOf(workchain, hash), raw: `${workchain}:${hash.toUpperCase()}` })),
  )
  const keys = accounts.map(({ hex }) => hex)
  const { json } = await write([...keys.toReversed(), ...keys], [])
  expect(Object.keys(JSON.parse(json))).toEqual(accounts.map(({ raw }) => raw).sort())
})

test('an account that got another code, other interfaces or another name is written anew', async () => {
  const hex = hexOf(0, '12'.repeat(32))
  const entryOf = async (codeHash: Uint8Array | null, interfaces: string[], domain: string | null) => {
    const { json } = await write([hex], [{ hex, codeHash, interfaces, domain }])
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
