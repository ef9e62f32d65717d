// What is said of an account that was frozen for its rent, and of a message that comes to it.

import { expect, test } from 'vitest'
import { phasesOf } from '../../../client/explorer/trace/phasesOf.ts'
import type { Transaction } from '../../../client/index.ts'
import { client, inBrowser, page, serveIndexed, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'

const ACCOUNT = `0:${'77'.repeat(32)}`
const FROZEN_HASH = Buffer.alloc(32, 0xab)

test.each([
  ['frozen', 'skipped: the account is frozen', /StateInit it had/],
  ['nonexist', 'skipped: nothing is deployed here', /Send the StateInit/],
])('why a message to an account that is %s ran no code', (orig_status, text, hint) => {
  const description = { compute_ph: { skipped: true, reason: 'no_state' } }
  // The cast: of a transaction these are read.
  const transaction = { in_msg: null, total_fees: '0', orig_status, description } as unknown as Transaction
  expect(phasesOf(transaction)[0]).toMatchObject({ text, hint: expect.stringMatching(hint) })
})

inBrowser(serveIndexed, () => {
  test('its part of code says what is kept of it, and what makes it work again', async () => {
    await client.dev.faucet({ address: ACCOUNT, amount: '1000000000' })
    const read = async () => (await client.v3.accountStates({ address: [ACCOUNT] })).accounts.length
    await expect.poll(read, { timeout: 300_000 }).toBe(1)
    await mockReplies(page, /\/address\//, 'v3.accountStates', (_, real) => ({
      ...real,
      accounts: real.accounts.map((one) => ({
        ...one,
        status: 'frozen' as const,
        frozen_hash: FROZEN_HASH.toString('base64'),
      })),
    }))
    await page.goto(`${service.url}/address/${ACCOUNT}?tab=contract`)
    const said = page.locator('.empty', { hasText: 'This account is frozen' })
    await said.getByText('makes it work again').waitFor()
    expect(await said.textContent()).toContain(FROZEN_HASH.toString('hex'))
  })
})
