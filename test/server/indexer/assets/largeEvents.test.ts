// A transfer may carry payloads of thousands of cells.

import { expect, test } from 'vitest'
import { beginCell, inOnePiece, openCell, writeBoc } from '../../../../server/cell/index.ts'
import { eventRows } from '../../../../server/indexer/assets/eventRows.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { addressCell, madeAddress } from '../../../setup/madeContracts.ts'

const key = new Uint8Array(33)
const hash = new Uint8Array(32)
const payload = treeOf(5000)
const body = beginCell()
  .storeUint(0x0f8a7ea5, 32)
  .storeUint(3n, 64)
  .storeCoins(40n)
  .storeSlice(openCell(addressCell(madeAddress(1))))
  .storeUint(0, 2)
  .storeMaybeRef(payload)
  .storeCoins(0n)
  .storeBit(0)
const transaction = {
  hash,
  account: key,
  lt: 1n,
  now: 1,
  description: '{"aborted":false}',
  traceId: hash,
  source: key,
  opcode: 0x0f8a7ea5,
  body: writeBoc(body.end()),
}
const token = { account: key, kind: 'jettonWallet', of: key } as const

test('its row is made in pieces', () => {
  const pieces = [...eventRows([{ token, transaction, lateMcSeqno: null }])].length
  const { jettonTransfers } = inOnePiece(eventRows([{ token, transaction, lateMcSeqno: null }]))
  expect(jettonTransfers).toMatchObject([{ amount: 40n, customPayload: writeBoc(payload, 2), forwardPayload: null }])
  expect(pieces).toBeGreaterThan(10)
})
