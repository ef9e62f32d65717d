// Arguments of get-methods with bags of cells as large as a request may have.

import { describe, expect, test } from 'vitest'
import { beginCell, type Cell, readBoc, writeBoc } from '../../../../server/cell/index.ts'
import { intValue, type StackValue, tupleValue } from '../../../../server/contracts/index.ts'
import { pairedArguments, typedArguments } from '../../../../server/methods/stack/stackArguments.ts'
import { bagsOfAccount, toAddressInformation, toShardAccountCell } from '../../../../server/methods/view/account.ts'
import { toExtendedAddressInformation } from '../../../../server/methods/view/extendedAccount.ts'
import { bagsOfStack, toLegacyStack, toTypedStack } from '../../../../server/methods/view/stack.ts'
import { toPlainStack } from '../../../../server/methods/view/v3/stack.ts'
import { cellsOf, treeOf } from '../../../setup/cellTree.ts'
import { active, madeAccount } from '../../../setup/madeAccounts.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

const textOf = (cell: Cell): string => Buffer.from(writeBoc(cell)).toString('base64')
const large = treeOf(20_000)
const small = treeOf(5)
const typed = (bytes: string) => ({ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes } }) as const

describe('a large cell of a result', () => {
  const values: StackValue[] = [
    { kind: 'cell', cell: large },
    tupleValue([{ kind: 'slice', cell: large }, intValue(5n), { kind: 'cell', cell: small }]),
  ]

  test.each([toLegacyStack, toTypedStack, toPlainStack])('is whole wherever it stands', async (view) => {
    const text = JSON.stringify(await view(values, {}))
    expect(text.split(JSON.stringify(textOf(large)))).toHaveLength(3)
    expect(text.split(JSON.stringify(textOf(small)))).toHaveLength(2)
  })

  test('is written in many turns of the event loop', async () => {
    expect((await turnsOf(() => bagsOfStack(values, { sliceMs: 0 }))).turns).toBeGreaterThan(50)
  })

  test('whose cells are shown one by one leaves turns to others', async () => {
    const cell = treeOf(6000)
    const { found, turns } = await turnsOf(() => toLegacyStack([{ kind: 'cell', cell }], {}))
    expect(JSON.stringify(found).split('"len"')).toHaveLength(cellsOf(cell).length + 1)
    expect(turns).toBeGreaterThan(cellsOf(cell).length / 5)
  })

  test.each([toLegacyStack, toTypedStack, toPlainStack])(
    'and hundreds of small ones leave turns as well',
    async (view) => {
      const cells = Array.from({ length: 200 }, (_, i): StackValue => ({ kind: 'cell', cell: treeOf(60, i) }))
      expect((await turnsOf<unknown>(() => view(cells, {}))).turns).toBeGreaterThanOrEqual(200)
    },
  )

  test('is the same in an account, whose data it is', async () => {
    const account = madeAccount(active(small, large))
    const bags = await bagsOfAccount(account, {})
    expect(bags.size).toBe(1)
    expect(toAddressInformation(account, false, bags)).toEqual(toAddressInformation(account, false))
    const address = { workchain: 0, hash: new Uint8Array(32), bounceable: true, testOnly: false, form: 'raw' } as const
    expect(toExtendedAddressInformation(address, account, bags)).toEqual(toExtendedAddressInformation(address, account))
    const { bytes } = await toShardAccountCell(account.shardAccount, {})
    expect(readBoc(Buffer.from(bytes, 'base64'), { maxDepth: 1024 }).refs.length).toBeGreaterThan(0)
  })

  test('those of a stack of over eight megabytes are not all written', async () => {
    const cells = Array.from({ length: 200 }, (_, i) => beginCell().storeUint(i, 32).storeRef(large).end())
    const bags = await bagsOfStack(
      cells.map((cell) => ({ kind: 'cell', cell })),
      {},
    )
    expect(bags.size).toBeLessThan(100)
  })
})

describe('a large bag of cells', () => {
  test('is read as a small one is, wherever it stands', async () => {
    const bags = [large, small].map(textOf)
    const hashes = [large.hash(), small.hash()]
    const tuple = ['tuple', { '@type': 'tvm.tuple', elements: bags.map(typed) }]
    const pairs = [...bags.map((text) => ['tvm.Cell', text]), ['slice', { bytes: bags[0] }], tuple]
    const [first, second, slice, nested] = await pairedArguments(pairs, {})
    expect([first, second]).toMatchObject([{ kind: 'cell' }, { kind: 'cell' }])
    const cells = [first, second, slice].map((value) =>
      value !== undefined && 'cell' in value ? value.cell.hash() : '',
    )
    expect(cells).toEqual([...hashes, hashes[0]])
    const items = nested?.kind === 'tuple' ? nested.items : []
    expect(items.map((value) => ('cell' in value ? value.cell.hash() : ''))).toEqual(hashes)
    expect(await typedArguments(bags.map(typed))).toMatchObject([{ kind: 'cell' }, { kind: 'cell' }])
  })

  test('leaves turns of the event loop to others', async () => {
    const pairs = [['tvm.Cell', textOf(large)]]
    // 256 cells of 26,000 in each turn.
    expect((await turnsOf(() => pairedArguments(pairs, { sliceMs: 0 }))).turns).toBeGreaterThan(50)
  })

  test('and hundreds of small ones, alone or in a tuple, leave turns as well', async () => {
    const bags = Array.from({ length: 200 }, (_, i) => textOf(treeOf(60, i)))
    const tuple = ['tuple', { '@type': 'tvm.tuple', elements: bags.map(typed) }]
    for (const pairs of [bags.map((bag) => ['tvm.Cell', bag]), [tuple]])
      expect((await turnsOf(() => pairedArguments(pairs, {}))).turns).toBeGreaterThanOrEqual(200)
  })

  test('is refused in the same words when it is none', async () => {
    const cut = Buffer.from(writeBoc(large)).subarray(0, 90_000).toString('base64')
    for (const broken of ['te6ccgEB', cut])
      await expect(pairedArguments([['tvm.Cell', broken]], {})).rejects.toThrow('INVALID_BAG_OF_CELLS: stack')
    await expect(pairedArguments([['tvm.Cell', '?'.repeat(9000)]], {})).rejects.toThrow(
      'Invalid tvm.Cell, base64 string expected',
    )
  })

  test('as text alone, the form of v3, is told its type in v2', async () => {
    for (const [type, meant] of [
      ['cell', 'tvm.Cell'],
      ['slice', 'tvm.Slice'],
    ])
      await expect(pairedArguments([[type, textOf(small)]], {})).rejects.toThrow(
        `Invalid ${type}, object with field bytes expected: base64 is of type ${meant}`,
      )
    await expect(pairedArguments([['slice', 7]], {})).rejects.toThrow(/field bytes expected$/)
  })

  test('an address in place of a cell is refused with the advice how to write it', async () => {
    const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
    const data = { advice: expect.stringContaining('beginCell().storeAddress(address)') }
    for (const type of ['tvm.Slice', 'slice'])
      for (const given of [address, `0:${'11'.repeat(32)}`])
        await expect(pairedArguments([[type, given]], {})).rejects.toMatchObject({ data })
  })
})
