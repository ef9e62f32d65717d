// The messages a wallet would send for a request of TON Connect.

import { expect, test } from 'vitest'
import { transfersOf } from '../../../server/methods/emulation/walletMessage.ts'
import { fromCell, loadRelaxedMessage } from '../../../server/tlb/index.ts'
import { toFriendly } from '../../../shared/address.ts'

const NOW = 1_800_000_000

test.each([true, false])('a message to an address that says so bounces: %s', async (bounceable) => {
  const to = { workchain: 0, hash: new Uint8Array(32).fill(7), bounceable, testOnly: false }
  const messages = [{ address: toFriendly(to), amount: '18446744073709551615' }]
  const [cell] = await transfersOf({ messages }, NOW, { subject: 'someone' })
  const info = cell && fromCell(cell, loadRelaxedMessage).info
  expect(info).toMatchObject({ kind: 'internal', bounce: bounceable, value: { grams: 2n ** 64n - 1n }, createdAt: NOW })
})

test.each([
  ['', 'cannot be empty'],
  ['-1', 'not a number of nanotons'],
  ['1.5', 'not a number of nanotons'],
  ['18446744073709551616', 'not a number of nanotons'],
])('error: an amount of %j', async (amount, words) => {
  const messages = [{ address: `0:${'07'.repeat(32)}`, amount }]
  await expect(transfersOf({ messages }, NOW, { subject: 'someone' })).rejects.toThrow(words)
})
