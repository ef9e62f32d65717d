// Accounts that a block changed lose their rows of kinds that they are not of any more.

import { expect, test } from 'vitest'
import type { AccountKey, Sql } from '../../../../server/store/index.ts'
import { writeContracts } from '../../../../server/store/write/assets.ts'
import { NO_CONTRACTS } from '../../../setup/assetTables.ts'
import { keyOf } from '../../../setup/filledAccounts.ts'

const account = (i: number): AccountKey => keyOf(0, new Uint8Array(32).fill(i))

test('the accounts of a block are sent once, however many kinds there are', async () => {
  const checked = Array.from({ length: 200 }, (_, i) => account(i))
  let sent = 0
  const to: Sql = {
    query: async ({ values }) => {
      for (const value of values) sent += Array.isArray(value) ? value.length : 0
      return []
    },
  }
  await writeContracts(to, { checked, found: NO_CONTRACTS })
  expect(sent).toBe(checked.length)
})
