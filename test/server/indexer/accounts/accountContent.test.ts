import { expect, test } from 'vitest'
import { beginCell, writeBoc } from '../../../../server/cell/index.ts'
import { accountContent } from '../../../../server/indexer/accounts/accountContent.ts'
import { storeAccount, toCell } from '../../../../server/tlb/index.ts'
import { activeAccount } from '../../../setup/activeAccount.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

test('behavior: the data of a large account is written in slices, to the bytes of one piece', async () => {
  const data = treeOf(6000)
  const account = activeAccount({ hash: new Uint8Array(32), code: beginCell().end(), data })
  const { found, turns } = await turnsOf(() => accountContent(toCell(account, storeAccount)))
  expect(turns).toBeGreaterThan(2)
  expect(found.data).toEqual(Buffer.from(writeBoc(data, 0)))
})
