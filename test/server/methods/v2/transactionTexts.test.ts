// Chains keep texts of transactions, so a program that writes other ones must say so.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { openCell, readBoc, writeBoc } from '../../../../server/cell/index.ts'
import {
  longTransaction,
  toBlockTransaction,
  toTransaction,
  toTransactionStd,
  transactionTextFormat,
  writeTransaction,
} from '../../../../server/methods/view/transaction.ts'
import { inListOrder } from '../../../../server/node/index.ts'
import { accountBlocksOf, blockExtraOf, loadBlock, loadTransaction } from '../../../../server/tlb/index.ts'
import { toBase64 } from '../../../../shared/base64.ts'
import { verifyBlock } from '../../../setup/verifyAtOnce.ts'
import { openFixture } from '../../facts/parse/namedBlocks.ts'

/** Of the texts of a block. */
const KNOWN = { version: 1, digest: '0yrAhdeaxhbvRCXgLh5jUoozgKmQC30we5rjmmtQwJI' }

/** The transactions of a block of mainnet. */
function cellsOfMainnet() {
  const { id, bytes } = openFixture('block-1')
  const { root } = verifyBlock(id, bytes)
  const blocks = accountBlocksOf(blockExtraOf(loadBlock(openCell(root))))
  return { workchain: id.workchain, cells: [...inListOrder(blocks, { count: 256 })].map(({ cell }) => cell) }
}

test('when a text changes, raise the version and write the new digest here', () => {
  const { workchain, cells } = cellsOfMainnet()
  const digest = createHash('sha256')
  for (const cell of cells) for (const part of transactionTextFormat.write(workchain, cell)) digest.update(part)
  expect({ version: transactionTextFormat.version, digest: digest.digest('base64url') }).toEqual(KNOWN)
})

test('a text around the bag is what is written of the transaction itself', () => {
  const { workchain, cells } = cellsOfMainnet()
  expect(cells.length).toBeGreaterThan(0)
  for (const cell of cells) {
    const bag = toBase64(writeBoc(cell, 2))
    const shown = toTransaction(workchain, { cell, transaction: loadTransaction(openCell(cell)), bag })
    expect(transactionTextFormat.write(workchain, cell).join(bag)).toBe(JSON.stringify(shown))
  }
})

test('a text that was written before is that of this transaction, with its workchain and in its form', () => {
  const { workchain, cells } = cellsOfMainnet()
  const knownOf = (cell: (typeof cells)[number]) => ({ cell, transaction: loadTransaction(openCell(cell)) })
  // A second copy of the cells, as another answer brings them.
  for (const each of [cells, cells.map((cell) => readBoc(writeBoc(cell, 0)))])
    for (const known of each.map(knownOf))
      for (const own of [workchain, workchain - 1]) {
        const text = JSON.stringify(toTransaction(own, known))
        for (let again = 0; again < 2; again++) expect(writeTransaction(own, known).json).toBe(text)
        const bag = toBase64(writeBoc(known.cell, 0))
        expect(writeTransaction(own, { ...known, bag }).json).toBe(
          JSON.stringify(toTransaction(own, { ...known, bag })),
        )
      }
})

test('in pieces a transaction is written as at once, each of its messages in a piece of its own', () => {
  const { workchain, cells } = cellsOfMainnet()
  const stepsOf = <R>(pieces: Generator<void, R>) => {
    for (let steps = 0; ; steps++) {
      const { done, value } = pieces.next()
      if (done === true) return { steps, value }
    }
  }
  const textOf = (bytes: readonly Buffer[]) => Buffer.concat(bytes).toString()
  const { writing, writingStd, writingOfBlock } = longTransaction
  let most = 0
  for (const cell of cells) {
    const known = { cell, transaction: loadTransaction(openCell(cell)) }
    const count = [...known.transaction.outMessages].length
    const [whole, std, ofBlock] = [toTransaction, toTransactionStd, toBlockTransaction].map((to) =>
      to(workchain, known),
    )
    const inPieces = [writing, writingStd, writingOfBlock].map((one) => stepsOf(one(workchain, known)))
    expect(inPieces.map(({ value }) => textOf(value))).toEqual([whole, std, ofBlock].map((one) => JSON.stringify(one)))
    for (const { steps, value } of inPieces) {
      expect(steps).toBeGreaterThanOrEqual(count)
      // Nor are they put together: those of hundreds of large ones are tens of megabytes.
      expect(value.length).toBeGreaterThanOrEqual(count + 3)
    }
    const { before, after } = stepsOf(transactionTextFormat.writing(workchain, cell)).value
    expect([textOf(before), textOf(after)]).toEqual(transactionTextFormat.write(workchain, cell))
    most = Math.max(most, count)
  }
  expect(most).toBeGreaterThan(1)
})
