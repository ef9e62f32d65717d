// The v4 interface asks v2 and takes apart what that says: accounts of tens of thousands of cells, blocks of thousands of
// transactions. Others have their turns meanwhile.

import { beginCell, serializeTuple, type TupleItem } from '@ton/core'
import { expect, test } from 'vitest'
import { type Cell, readBoc, readBocRoots, writeBocText } from '../../../../server/cell/index.ts'
import { listItems, NULL, readStack } from '../../../../server/contracts/index.ts'
import type { AskV2 } from '../../../../server/methods/v4/askV2.ts'
import { v4Answer } from '../../../../server/methods/v4/v4Answer.ts'
import { storeAccount, storeShardAccount, toCell } from '../../../../server/tlb/index.ts'
import type { Api } from '../../../../shared/registry.ts'
import { activeAccount } from '../../../setup/activeAccount.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

const ADDRESS = `0:${'11'.repeat(32)}`
const HASH = Buffer.alloc(32, 7).toString('base64')
const BLOCK = { '@type': 'ton.blockIdExt', workchain: 0, shard: '-9223372036854775808', seqno: 5 } as const
const NAMED = { ...BLOCK, root_hash: HASH, file_hash: HASH }

/** v2 that says what is made up here. */
const asking =
  (results: Readonly<Partial<Record<keyof Api, unknown>>>): AskV2 =>
  async (name) => {
    if (!(name in results)) throw new Error(`${name} was asked`)
    // The cast: what a route reads of it is there.
    return results[name] as never
  }

async function answerTo(path: string, results: Parameters<typeof asking>[0]) {
  const answer = v4Answer('GET', path)
  if (typeof answer !== 'function') throw new Error(`${path} is not served`)
  const request = { body: '', json: () => ({}), query: new URLSearchParams(), slicing: { subject: 'someone' } }
  const { found, turns } = await turnsOf(() => answer(asking(results), request))
  return { value: JSON.parse(found.json), turns }
}

const accountOf = (code: Cell, data: Cell) => ({
  state: 'active',
  code: writeBocText(code),
  data: writeBocText(data),
  balance: '5',
  extra_currencies: [],
  last_transaction_id: { lt: '0', hash: HASH },
  block_id: NAMED,
  frozen_hash: '',
})

const cellOf = (code: Cell, data: Cell | null, duePayment: bigint | null = null) => {
  const made = activeAccount({ hash: new Uint8Array(32).fill(0x11), code, data: code })
  const init = { fixedPrefixLength: null, special: null, code, data, library: null }
  const account = {
    ...made,
    storageStat: { used: { cells: 3, bits: 700 }, dictHash: null, lastPaid: 1_700_000_000, duePayment },
    storage: { ...made.storage, state: { kind: 'active', init } as const },
  }
  const entry = { account: toCell(account, storeAccount), lastTransHash: new Uint8Array(32), lastTransLt: 9n }
  return { '@type': 'tvm.cell', bytes: writeBocText(toCell(entry, storeShardAccount)) }
}

test('behavior: hashes of a large account', async () => {
  const code = treeOf(20_000, 1)
  const data = treeOf(40_000, 2)
  const { value, turns } = await answerTo(`/block/5/${ADDRESS}/lite`, {
    getAddressInformation: accountOf(code, data),
    getShardAccountCell: cellOf(code, data),
  })
  expect(value.account.state).toEqual({
    type: 'active',
    codeHash: Buffer.from(code.hashBytes()).toString('base64'),
    dataHash: Buffer.from(data.hashBytes()).toString('base64'),
  })
  expect(turns).toBeGreaterThan(1)
  const small = treeOf(5, 3)
  const { value: withoutData } = await answerTo(`/block/5/${ADDRESS}/lite`, {
    getAddressInformation: { ...accountOf(small, small), data: '' },
    getShardAccountCell: cellOf(small, null),
  })
  expect(withoutData.account.state.dataHash).toBe('')
})

test.each([
  ['nothing', null, null],
  ['0', 0n, null],
  ['5', 5n, '5'],
] as const)('behavior: an account that owes %s for its storage', async (_, owed, duePayment) => {
  const small = treeOf(5, 3)
  const results = {
    getAddressInformation: accountOf(small, small),
    getShardAccountCell: cellOf(small, small, owed),
  }
  for (const end of ['', '/lite']) {
    const { value } = await answerTo(`/block/5/${ADDRESS}${end}`, results)
    const used = { cells: 3, bits: 700 }
    expect(value.account.storageStat).toEqual({ lastPaid: 1_700_000_000, duePayment, used })
  }
})

test.each([
  ['0', '0', true],
  ['7', '0', true],
  ['7', '6', true],
  ['7', '7', false],
  ['7', '8', false],
] as const)(
  'behavior: an account whose last transaction is at %s, for one who knows %s',
  async (last, known, changed) => {
    const information = accountOf(treeOf(5, 3), treeOf(5, 4))
    const { value } = await answerTo(`/block/5/${ADDRESS}/changed/${known}`, {
      getAddressInformation: { ...information, last_transaction_id: { lt: last, hash: HASH } },
    })
    expect(value.changed).toBe(changed)
  },
)

test('behavior: a history of large transactions, as one bag', async () => {
  const cells = Array.from({ length: 20 }, (_, i) => treeOf(4_000, i))
  const transactions = cells.map((cell, i) => ({
    data: writeBocText(cell),
    transaction_id: { lt: String(i + 1), hash: HASH },
  }))
  const { value, turns } = await answerTo(`/account/${ADDRESS}/tx/9/${encodeURIComponent(HASH)}`, {
    getTransactionsStd: { transactions },
    lookupBlock: NAMED,
  })
  expect(turns).toBeGreaterThan(1)
  const roots = readBocRoots(Buffer.from(value.boc, 'base64'), { maxRoots: 20 })
  expect(roots.map((root) => root.hash())).toEqual(cells.map((cell) => cell.hash()))
})

test('behavior: a block of ten thousand transactions', async () => {
  const transactions = Array.from({ length: 10_000 }, (_, i) => ({
    account: `0:${i.toString(16).padStart(64, '0')}`,
    hash: HASH,
    lt: String(i),
  }))
  const { value, turns } = await answerTo('/block/5', {
    getMasterchainInfo: { last: { seqno: 9 } },
    lookupBlock: NAMED,
    getShards: { shards: [] },
    getBlockTransactions: { transactions, incomplete: false },
  })
  expect(turns).toBeGreaterThan(1)
  expect(Object.keys(value)).toEqual(['exist', 'block'])
  const [shard] = value.block.shards
  expect(Object.keys(shard)).toEqual(['workchain', 'seqno', 'shard', 'rootHash', 'fileHash', 'transactions'])
  expect(shard.transactions).toHaveLength(10_000)
  expect(shard.transactions[9_999]).toMatchObject({ hash: HASH, lt: '9999' })
})

test('behavior: a method that returns a list of a thousand numbers', async () => {
  const one = { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '1' } }
  const list = { '@type': 'tvm.list', elements: Array.from({ length: 1000 }, () => one) }
  const { value } = await answerTo(`/block/5/${ADDRESS}/run/everybody`, {
    runGetMethodStd: { exit_code: 0, stack: [{ '@type': 'tvm.stackEntryList', list }] },
    getAddressInformation: accountOf(treeOf(5, 3), treeOf(5, 4)),
    lookupBlock: NAMED,
  })
  expect(
    listItems(readStack(readBoc(Buffer.from(value.resultRaw, 'base64'), { maxDepth: 1024 }))[0] ?? NULL),
  ).toHaveLength(1000)
})

const ENTRIES = { tuple: 'tvm.stackEntryTuple', list: 'tvm.stackEntryList' } as const
const without = { '@type': 'tvm.stackEntryUnsupported' }
const nested = (kind: keyof typeof ENTRIES) => ({
  '@type': ENTRIES[kind],
  [kind]: { '@type': `tvm.${kind}`, elements: [without] },
})

test.each([
  ['itself', without],
  ['in a tuple', nested('tuple')],
  ['in a list', nested('list')],
])('error: a result without a form in v2, %s', async (_, entry) => {
  const asked = answerTo(`/block/5/${ADDRESS}/run/build`, {
    runGetMethodStd: { exit_code: 0, stack: [entry] },
    getAddressInformation: accountOf(treeOf(5, 3), treeOf(5, 4)),
    lookupBlock: NAMED,
  })
  await expect(asked).rejects.toMatchObject({ kind: 'unsupportedResult', httpStatus: 501 })
})

test.each<TupleItem>([{ type: 'nan' }, { type: 'builder', cell: beginCell().endCell() }])(
  'error: an argument without a form in v2: $type',
  async (item) => {
    for (const arg of [item, { type: 'tuple', items: [item] } satisfies TupleItem]) {
      const text = serializeTuple([arg]).toBoc().toString('base64url')
      await expect(answerTo(`/block/5/${ADDRESS}/run/build/${text}`, {})).rejects.toMatchObject({
        kind: 'invalidParams',
        message: expect.stringContaining('a builder, a continuation or NaN cannot be passed here'),
      })
    }
  },
)
