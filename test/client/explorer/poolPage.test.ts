// The page of a nominator pool: its rounds, its events, and its own address.

import { afterEach, expect, test } from 'vitest'
import type { Api } from '../../../client/index.ts'
import { toFriendly } from '../../../shared/address.ts'
import { registry } from '../../../shared/registry.ts'
import { inBrowser, open, page, problems, serveIndexed } from '../../setup/explorerScene.ts'
import { mockMethods } from '../../setup/mockedReplies.ts'

type Events = Api['v3.staking.nominatorPools.nominatorEvents']['result']

const POOL = { workchain: -1, hash: new Uint8Array(32).fill(0xab), bounceable: true, testOnly: true }
const NOMINATORS = 10

const pool = registry['v3.staking.nominatorPools.pool'].example.result
const some = registry['v3.staking.nominatorPools.nominatorEvents'].example.result

/** A reward of 1 TON for each nominator in each round, the newest first. */
const rewardsOf = (rounds: number): Events['events'] =>
  Array.from({ length: rounds * NOMINATORS }, (_, at) => {
    const round = rounds - Math.floor(at / NOMINATORS)
    const nominator = `0:${String(at % NOMINATORS).padStart(64, '0')}`
    const [like] = some.events
    if (like === undefined) throw new Error('the example has no event')
    return {
      ...like,
      tx_hash: Buffer.alloc(32, round).toString('base64'),
      utime: 1_700_000_000 + 65_536 * round,
      nominator_address: nominator,
      amount: '1000000000',
    }
  })

async function openPool(more: Partial<Events>): Promise<void> {
  await mockMethods(page, /\/pools\//, {
    'v3.staking.nominatorPools.pool': () => pool,
    'v3.staking.nominatorPools.nominatorEvents': () => ({ ...some, ...more }),
  })
  await open(`/pools/${toFriendly(POOL)}`)
}

inBrowser(serveIndexed, () => {
  afterEach(() => expect(problems).toEqual([]))

  const rounds = () => page.locator('.chart-values tr td').allTextContents()

  test('a round of which not all rewards were read is not drawn as one that brought less', async () => {
    const all = rewardsOf(3)
    await openPool({ events: all.slice(0, -1), cursor: 'more' })
    expect(await rounds()).toEqual(['10 TON', '10 TON'])
    await openPool({ events: all, cursor: null })
    expect(await rounds()).toEqual(['10 TON', '10 TON', '10 TON'])
  })

  test('all events that were read can be seen', async () => {
    await openPool({ events: rewardsOf(15), cursor: null })
    const rows = page.locator('section[aria-labelledby="pool-events"] tbody tr')
    expect(await rows.count()).toBe(100)
    await page.getByRole('button', { name: 'Show 50 more of 150' }).click()
    await expect.poll(() => rows.count()).toBe(150)
  })

  test('a pool without events is the account that its address names', async () => {
    await openPool({ events: [], cursor: null })
    const own = page.locator('.facts .address').first()
    expect(await own.getAttribute('data-address')).toBe(`-1:${'AB'.repeat(32)}`)
  })
})
