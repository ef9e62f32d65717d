// Accounts that a block changed lose their rows of kinds that they are not of any more.

import { expect, test } from 'vitest'
import type { AccountKey, ContractsFound, Sql } from '../../../../server/store/index.ts'
import { writeContracts } from '../../../../server/store/write/assets.ts'
import { keyOf } from '../../../setup/filledAccounts.ts'

const NOTHING: ContractsFound['found'] = {
  jettonMasters: [],
  jettonWallets: [],
  nftCollections: [],
  nftItems: [],
  nftSales: [],
  dnsRecords: [],
  multisigs: [],
  multisigOrders: [],
  vestings: [],
  dedustPools: [],
}

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
  await writeContracts(to, { checked, found: NOTHING })
  expect(sent).toBe(checked.length)
})
