// History out of the archive: the same answers as out of whole blocks, whatever became of its files.

import { copyFile, mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeBoc } from '../../../server/cell/index.ts'
import type { TransactionTexts } from '../../../server/devchain/archive/index.ts'
import type { Devchain } from '../../../server/devchain/index.ts'
import { header } from '../../../server/devchain/lite/blocks.ts'
import { ChainReads } from '../../../server/devchain/lite/chainReads.ts'
import { ChainSource } from '../../../server/devchain/lite/chainSource.ts'
import { listTransactions, listTransactionsExt, proveTransactions } from '../../../server/devchain/lite/transactions.ts'
import { transactionTextFormat } from '../../../server/methods/index.ts'
import { toTransaction, writeTransaction } from '../../../server/methods/view/transaction.ts'
import type { ListQuery } from '../../../server/node/index.ts'
import { treeOf } from '../../setup/cellTree.ts'
import { hex, openChain, seedOf, stillClock, temporaryFolder } from './devchains.ts'
import { play, prepare } from './traffic.ts'
import { coins, transfer } from './wallets.ts'

const LIST = 'transactions.list'
const DATA = 'transactions.data'
const LIST_ENTRY_BYTES = 52
const limits = { timeout: 300_000 }

const bytesText = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? hex(value) : typeof value === 'bigint' ? `${value}` : value

const queriesOf = (names: readonly { readonly account: Uint8Array; readonly lt: bigint }[]): ListQuery[] => {
  const first = names[0]
  const last = names.at(-1)
  const all: ListQuery[] = [{ count: 256 }, { count: 256, reverse: true }, { count: 2 }, { count: 0 }, { count: -1 }]
  for (const after of [first, last, first && { ...first, lt: 0n }, last && { ...last, lt: -1n }])
    if (after !== undefined) all.push({ count: 3, after }, { count: 3, after, reverse: true })
  return all
}

/** Everything that is answered about each block and each transaction, as text. */
async function answersOf(chain: Devchain): Promise<string[]> {
  const source = new ChainSource(chain)
  const reads = new ChainReads(source)
  const answers: unknown[] = []
  for (const workchain of [-1, 0])
    for (let seqno = 1; ; seqno++) {
      const facts = chain.reader.bySeqno(workchain, seqno)
      if (facts === undefined) break
      const { id } = facts
      const { info } = await reads.header(id)
      answers.push(info, await header(source, id, 0))
      const { transactions: names } = await reads.listTransactions(id, { count: 256 })
      for (const query of queriesOf(names)) {
        answers.push(await reads.listTransactions(id, query))
        const read = await reads.blockTransactions(id, query)
        answers.push(
          read.incomplete,
          ...read.transactions.map(({ cell, transaction }) => [cell.hashHex(), transaction.lt]),
          ...read.transactions.map((one) => writeTransaction(workchain, one).json),
        )
        answers.push(await listTransactions(source, id, query), await listTransactionsExt(source, id, query))
      }
      for (const { account, lt, hash } of names) {
        const name = { workchain, hash: account }
        answers.push(await proveTransactions(source, { account: name, lt, hash, count: 16 }))
        const wrong = proveTransactions(source, { account: name, lt, hash: account, count: 2 })
        answers.push(
          await wrong.then(
            () => 'found',
            (error: Error) => error.message,
          ),
        )
        const absent = proveTransactions(source, { account: name, lt: lt + 1n, hash, count: 2 })
        answers.push(
          await absent.then(
            () => 'found',
            (error: Error) => error.message,
          ),
        )
      }
    }
  return answers.map((answer) => JSON.stringify(answer, bytesText))
}

/** Whether the newest transactions of all accounts in the newest blocks come out of the archive. */
async function isArchived(chain: Devchain): Promise<boolean> {
  const source = new ChainSource(chain)
  const reads = new ChainReads(source)
  for (const workchain of [-1, 0])
    for (let seqno = 1; ; seqno++) {
      const facts = chain.reader.bySeqno(workchain, seqno)
      if (facts === undefined) break
      const { transactions: all } = await reads.blockTransactions(facts.id, { count: 256 })
      if (all.some(({ bag }) => bag === undefined)) return false
    }
  return true
}

const allArchived = (chain: Devchain): Promise<void> =>
  expect.poll(() => isArchived(chain), { timeout: 300_000, interval: 50 }).toBe(true)

const options = (folder: string) => ({
  folder,
  seed: seedOf(5),
  now: stillClock().now,
  texts: transactionTextFormat,
  sync: 'interval' as const,
  // By time, a slow machine would end a block early, and two chains with the same traffic would differ.
  limits: { maxTransactions: 1000, maxMs: Number.POSITIVE_INFINITY },
})

/** A chain with traffic and a branch that was undone, closed. */
async function filled(): Promise<string> {
  const folder = await temporaryFolder()
  const { chain } = await openChain(options(folder))
  const scene = await prepare(chain, 4)
  await play(chain, scene, { count: 12, seed: 1 })
  const mark = await chain.control.snapshot()
  await play(chain, scene, { count: 10, seed: 2 })
  await allArchived(chain)
  await chain.control.revert(mark)
  const again = await prepare(chain, 4)
  await play(chain, again, { count: 12, seed: 3 })
  await chain.close()
  return folder
}

async function copyOf(folder: string): Promise<string> {
  const copy = await temporaryFolder()
  await mkdir(copy, { recursive: true })
  for (const name of await readdir(folder))
    if ((await stat(join(folder, name))).isFile()) await copyFile(join(folder, name), join(copy, name))
  return copy
}

/** Answers out of whole blocks: with a folder where the list should be there is no archive. */
async function answersOfBlocks(folder: string): Promise<string[]> {
  const copy = await copyOf(folder)
  await rm(join(copy, LIST), { force: true })
  await mkdir(join(copy, LIST))
  const { chain, warnings } = await openChain(options(copy))
  const answers = await answersOf(chain)
  expect(await isArchived(chain)).toBe(false)
  expect(warnings).toContainEqual(expect.stringMatching(/^archive: its files cannot be used/))
  await chain.close()
  return answers
}

async function flip(path: string, every: number): Promise<void> {
  const file = await open(path, 'r+')
  const { size } = await file.stat()
  for (let at = 3; at < size; at += every) {
    const byte = Buffer.alloc(1)
    await file.read(byte, 0, 1, at)
    await file.write(Buffer.from([(byte[0] ?? 0) ^ 0x55]), 0, 1, at)
  }
  await file.close()
}

describe('the archive', () => {
  test(
    'behavior: answers are those of whole blocks, after restarts and whatever became of its files',
    limits,
    async () => {
      const folder = await filled()
      const expected = await answersOfBlocks(folder)
      expect(expected.length).toBeGreaterThan(500)
      const faults: Record<string, (copy: string) => Promise<void>> = {
        none: async () => undefined,
        'no files': (copy) => Promise.all([LIST, DATA].map((name) => rm(join(copy, name)))).then(() => undefined),
        'no data': (copy) => rm(join(copy, DATA)),
        'data cut short': async (copy) => truncate(join(copy, DATA), (await stat(join(copy, DATA))).size >> 1),
        'list cut within an entry': async (copy) =>
          truncate(
            join(copy, LIST),
            Math.trunc((await stat(join(copy, LIST))).size / 2 / LIST_ENTRY_BYTES) * LIST_ENTRY_BYTES + 7,
          ),
        'flipped bits in data': (copy) => flip(join(copy, DATA), 997),
        'flipped bits in list': (copy) => flip(join(copy, LIST), 3 * LIST_ENTRY_BYTES + 1),
      }
      for (const [fault, spoil] of Object.entries(faults)) {
        const copy = await copyOf(folder)
        await spoil(copy)
        const { chain } = await openChain(options(copy))
        expect(await answersOf(chain), fault).toEqual(expected)
        await allArchived(chain)
        expect(await answersOf(chain), `${fault}, made again`).toEqual(expected)
        await chain.close()
      }
    },
  )

  test('behavior: texts of another version are made again', limits, async () => {
    const folder = await filled()
    const textsOf = async (texts: TransactionTexts): Promise<readonly (string | null | undefined)[]> => {
      const { chain } = await openChain({ ...options(folder), texts })
      await allArchived(chain)
      const reads = new ChainReads(new ChainSource(chain))
      const { id } = chain.head().master
      const { transactions: all } = await reads.blockTransactions(id, { count: 256 })
      await chain.close()
      return all.map(({ text, bag = '' }) => (typeof text === 'string' ? text.replace(bag, 'bag') : null))
    }
    const first = transactionTextFormat
    const other = { version: transactionTextFormat.version + 1, write: () => ['<', '>'] as const }
    const before = await textsOf(first)
    expect(before[0]).toMatch(/^\{"@type":"ext.transaction".*"data":"bag".*\}$/)
    expect(await textsOf(other)).toEqual(before.map(() => '<bag>'))
    expect(await textsOf(first)).toEqual(before)
  })

  test(
    'behavior: a text of large messages is kept and given as bytes, the same as if it were written now',
    limits,
    async () => {
      const { chain } = await openChain(options(await temporaryFolder()))
      const { wallets } = await prepare(chain, 2)
      const [from, to] = wallets
      if (from === undefined || to === undefined) throw new Error('no wallets')
      const large = { to: to.address, value: coins(1), body: treeOf(3500) }
      await chain.send(transfer(from, large, large, large, large))
      const reads = new ChainReads(new ChainSource(chain))
      await allArchived(chain)
      let long = 0
      for (let seqno = 1; ; seqno++) {
        const facts = chain.reader.bySeqno(0, seqno)
        if (facts === undefined) break
        for (const one of (await reads.blockTransactions(facts.id, { count: 256 })).transactions) {
          const { text, bag, cell, transaction } = one
          if (typeof text !== 'string') long++
          expect(writeTransaction(0, one).json).toBe(JSON.stringify(toTransaction(0, { cell, transaction })))
          expect(bag).toBe(Buffer.from(writeBoc(cell)).toString('base64'))
        }
      }
      expect(long).toBeGreaterThan(0)
      await chain.close()
    },
  )

  test('behavior: what was written by another chain is not used', limits, async () => {
    const folder = await filled()
    const other = await filled()
    const expected = await answersOfBlocks(folder)
    const foreign = await temporaryFolder()
    const { chain: another } = await openChain({ ...options(foreign), seed: seedOf(6) })
    await play(another, await prepare(another, 4), { count: 12, seed: 9 })
    await allArchived(another)
    await another.close()
    for (const name of [LIST, DATA]) await copyFile(join(foreign, name), join(other, name))
    const { chain } = await openChain(options(other))
    expect(await answersOf(chain)).toEqual(expected)
    await chain.close()
  })
})
