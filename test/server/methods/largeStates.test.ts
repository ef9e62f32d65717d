// States of accounts of tens of thousands of cells on their way into the TVM and back: others have their turns meanwhile.

import { expect, test } from 'vitest'
import { beginCell, readBoc, writeBoc } from '../../../server/cell/index.ts'
import { SlicedWork } from '../../../server/fairness/index.ts'
import { openState } from '../../../server/methods/emulation/states.ts'
import { shardAccountBoc } from '../../../server/methods/tvm/trialAccount.ts'
import { toCells } from '../../../server/methods/view/v3/emulation.ts'
import { storeAccount, storeShardAccount, toCell } from '../../../server/tlb/index.ts'
import { activeAccount } from '../../setup/activeAccount.ts'
import { treeOf } from '../../setup/cellTree.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

const DATA = treeOf(60_000)
const caller = { subject: 'someone' }

const account = activeAccount({ hash: new Uint8Array(32).fill(7), code: beginCell().storeUint(1, 8).end(), data: DATA })

test('behavior: a large account is written, read and shown in pieces, and stays what it is', async () => {
  const cell = toCell(account, storeAccount)
  const shardAccount = { account: cell, lastTransHash: new Uint8Array(32), lastTransLt: 9n }
  const written = await turnsOf(() => shardAccountBoc(shardAccount, caller))
  expect(written.turns).toBeGreaterThan(1)
  expect(Buffer.compare(written.found, writeBoc(toCell(shardAccount, storeShardAccount)))).toBe(0)

  const read = await turnsOf(() => openState(written.found, caller))
  expect(read.turns).toBeGreaterThan(1)
  expect(read.found.data?.hash()).toBe(DATA.hash())
  const small = await openState(await shardAccountBoc(null, caller), caller)
  expect(small.account).toBeNull()

  const touched = { before: read.found, after: small }
  const shown = await turnsOf(() => toCells([touched], new SlicedWork(caller)))
  expect(shown.turns).toBeGreaterThan(1)
  const [text = ''] = Object.values(shown.found.data_cells ?? {})
  expect(readBoc(Buffer.from(text, 'base64')).hash()).toBe(DATA.hash())
})
