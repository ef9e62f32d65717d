// An order of a shared wallet may have as many cells as an account.

import { expect, test } from 'vitest'
import { writeBoc } from '../../../../server/cell/index.ts'
import { orderRow } from '../../../../server/indexer/assets/rows/wallets.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { madeAddress } from '../../../setup/madeContracts.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

test('others have their turns while it is written', async () => {
  const order = treeOf(8000)
  const numbers = { orderSeqno: 1n, threshold: 1n, approvalsMask: 0n, approvalsNum: 0n, expirationDate: 1n }
  const facts = { multisig: madeAddress(1), sentForExecution: false, signers: [], order, ...numbers }
  const hash = new Uint8Array(32)
  const head = { account: new Uint8Array(33), codeHash: hash, dataHash: hash, lastTxLt: 1n }
  const { found, turns } = await turnsOf(() => orderRow(head, facts))
  expect(found.order).toEqual(writeBoc(order, 0))
  expect(turns).toBeGreaterThan(20)
})
