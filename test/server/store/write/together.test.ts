import { expect, test } from 'vitest'
import { sql } from '../../../../server/store/index.ts'
import { fillActions } from '../../../setup/filledActions.ts'
import { openMemoryStore } from '../../../setup/memoryStore.ts'

test('rows of an account that are written at once are next to each other, and each is there', async () => {
  const store = await openMemoryStore()
  // All blocks at once.
  const actions = await fillActions(store, { transactions: 300, accounts: 20, atOnce: 1000 })
  const [found] = await store.read.query<{ rows: bigint; accounts: bigint; runs: bigint }>(sql`
    select count(*) as rows, count(distinct account) as accounts,
      count(*) filter (where account is distinct from before) as runs
    from (select account, lag(account) over (order by ctid) as before from action_accounts) a`)
  expect(found?.rows).toBe(BigInt(actions.reduce((sum, { accounts }) => sum + accounts.length, 0)))
  expect(found?.rows).toBeGreaterThan(4n * (found?.accounts ?? 0n))
  expect(found?.runs).toBe(found?.accounts)
  await store.close()
})
