// Accounts that a contract or an action names in a list of its own.

import { expect, test } from 'vitest'
import { client, inBrowser, open, page } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'
import { servePlayed } from '../../setup/playedDemo.ts'

const MANY = 300
const raw = (at: number): string => `0:${at.toString(16).toUpperCase().padStart(64, '0')}`

inBrowser(servePlayed, () => {
  test('of hundreds in a whitelist the first ones are shown, and the others unfold', async () => {
    const [sent] = (await client.v3.actions({ action_type: ['vesting_send_message'], limit: 1 })).actions
    const { vesting = '' } = (sent?.details ?? {}) as { readonly vesting?: string }
    await mockReplies(page, /\/address\//, 'v3.vesting', (_, real) => ({
      ...real,
      vesting_contracts: real.vesting_contracts.map((one) => ({
        ...one,
        whitelist: Array.from({ length: MANY }, (_, at) => raw(at)),
      })),
    }))
    await open(`/address/${vesting}?tab=vesting`)
    const list = page.locator('dt:has-text("May receive locked TON") + dd .address')
    await expect.poll(() => list.count()).toBe(20)
    await page.getByText('280 more accounts').click()
    await expect.poll(() => list.count()).toBe(MANY)
  })

  test('so are those who approved an order', async () => {
    const [made] = (await client.v3.actions({ action_type: ['multisig_create_order'], limit: 1 })).actions
    const { destination = '' } = (made?.details ?? {}) as { readonly destination?: string }
    await mockReplies(page, /\/address\//, 'v3.multisig.orders', (_, real) => ({
      ...real,
      orders: real.orders.slice(0, 1).map((one) => ({
        ...one,
        order_seqno: '7' as const,
        signers: Array.from({ length: MANY }, (_, at) => raw(at)),
        approvals_mask: `${2n ** BigInt(MANY) - 1n}` as const,
      })),
    }))
    await open(`/address/${destination}?tab=orders`)
    const list = page.locator('[role="tabpanel"] td:nth-child(4) .address')
    await expect.poll(() => list.count()).toBeGreaterThan(0)
    expect(await list.count()).toBe(20)
    await page.getByText('280 more who approved #7').click()
    await expect.poll(() => list.count()).toBe(MANY)
  })

  test('an action is found by an account that is only in a part of it', async () => {
    const wallet = (await client.dev.state()).accounts.find(({ name }) => name === 'wallet4')?.address ?? ''
    const within = raw(7)
    await mockReplies(page, /\/address\//, 'v3.traces', (_, real) => ({
      ...real,
      traces: real.traces.map((trace, at) => ({
        ...trace,
        actions: (trace.actions ?? []).map((one) =>
          at === 1 ? ({ ...one, details: { ...one.details, part: { owner: within } } } as typeof one) : one,
        ),
      })),
    }))
    const rows = page.locator('.history-row')
    await open(`/address/${wallet}`)
    // Not by its text, in which the age moves on.
    const second = await rows.nth(1).locator('a.when').getAttribute('href')
    await open(`/address/${wallet}?with=${within}`)
    await expect.poll(() => rows.first().locator('a.when').getAttribute('href')).toBe(second)
  })
})
