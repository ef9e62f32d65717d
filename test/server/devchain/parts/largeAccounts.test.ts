// An account of thousands of cells after its transactions: what the TVM made of it is read and compared in pieces.

import { expect, test } from 'vitest'
import { beginCell, type Cell, CellUsage, emptyDict, openCell, writeBocText } from '../../../../server/cell/index.ts'
import { RecentAccounts, WorkingAccounts } from '../../../../server/devchain/collate/execution/index.ts'
import { CellSharing } from '../../../../server/devchain/collate/index.ts'
import {
  loadAccount,
  shardAccountsKind,
  storeAccount,
  storeShardAccount,
  toCell,
} from '../../../../server/tlb/index.ts'
import { activeAccount } from '../../../setup/activeAccount.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { countingPacer } from './countingPacer.ts'

const ID = new Uint8Array(32).fill(7)

const shardAccountOf = (data: Cell) => ({
  account: toCell(activeAccount({ hash: ID, code: beginCell().end(), data }), storeAccount),
  lastTransHash: new Uint8Array(32),
  lastTransLt: 1n,
})

function dataOf(account: Cell | undefined): Cell {
  const state = account && loadAccount(openCell(account))?.storage.state
  if (state?.kind !== 'active' || state.init.data === null) throw new Error('no data')
  return state.init.data
}

test('behavior: it is read in pieces, and what did not change is the cell of before', async () => {
  const before = beginCell().storeUint(1, 8)
  const same = treeOf(16_000)
  const old = emptyDict(shardAccountsKind).set(ID, shardAccountOf(before.storeRef(same).end()))
  old.root?.hash()
  const accounts = new WorkingAccounts(old, new CellUsage(), {
    sharing: new CellSharing(),
    recent: new RecentAccounts(),
  })
  const now = shardAccountOf(beginCell().storeUint(2, 8).storeRef(treeOf(16_000)).end())
  const text = writeBocText(toCell(now, storeShardAccount), 0)
  accounts.record(accounts.get(ID), [1n, beginCell().end()], text)
  const { pacer, pauses } = countingPacer()
  const written = await accounts.writeBack(pacer)
  const found = written.get(ID)?.account
  expect(found?.hash()).toBe(now.account.hash())
  expect(dataOf(found).refs[0]).toBe(same)
  expect(pauses()).toBeGreaterThan(60)
})
