// Code that is a reference to a public library.

import { expect, onTestFinished, test, vi } from 'vitest'
import { beginCell, type Cell, CellKind, hashFromBytes } from '../../../../server/cell/index.ts'
import { codeRow } from '../../../../server/facts/index.ts'
import { CodeBook } from '../../../../server/indexer/assets/codeBook.ts'
import { Slots } from '../../../../server/indexer/chain/slots.ts'

const traits = { canRewind: false, firstSeqno: null, messageLifetimeMs: 1, isPublic: true }
const body = (number: number): Cell => beginCell().storeUint(number, 32).end()
const referenceTo = (cell: Cell): Cell =>
  beginCell().storeUint(CellKind.library, 8).storeBytes(cell.hashBytes()).end(true)

function bookOver(libraries: readonly Cell[], { isPublic }: { readonly isPublic: boolean } = traits) {
  const calls: string[][] = []
  const known = new Map(libraries.map((cell) => [cell.hashHex(), cell]))
  const book = new CodeBook({
    chain: {
      traits: { ...traits, isPublic },
      libraries: (hashes) => {
        const names = hashes.map((hash) => Buffer.from(hash).toString('hex'))
        calls.push(names)
        const found = names.map((name) => [name, known.get(name)] as const)
        return Promise.resolve(new Map(found.flatMap(([name, cell]) => (cell === undefined ? [] : [[name, cell]]))))
      },
    },
    database: { transaction: () => Promise.reject(new Error('all code is fresh')) },
    lanes: new Slots(4),
    timeoutMs: 300_000,
    signal: new AbortController().signal,
  })
  return { book, calls, publish: (cell: Cell) => known.set(cell.hashHex(), cell) }
}

test('default: libraries of many codes are read in portions of 16, each once', async () => {
  const bodies = Array.from({ length: 20 }, (_, number) => body(number))
  const codes = [...bodies.map(referenceTo), body(99)].map(codeRow)
  const { book, calls } = bookOver(bodies.slice(1))
  const hashes = codes.map(({ hash }) => hash)
  const found = await book.of(hashes, codes)
  expect(calls.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([4, 16])
  expect(new Set(calls.flat())).toEqual(new Set(bodies.map((cell) => cell.hashHex())))
  expect(new Set(found.keys())).toEqual(new Set(hashes.map(hashFromBytes)))
  await book.of(hashes, codes)
  expect(calls.length).toBe(2)
})

test("on a chain of one's own, a library counts as soon as it is published, also for code seen without it", async () => {
  const { book, calls, publish } = bookOver([], { isPublic: false })
  const code = codeRow(referenceTo(body(1)))
  const kindsOf = async () => [...(await book.of([code.hash], [code])).values()].flatMap(({ kinds }) => kinds)
  expect(await kindsOf()).toEqual([])
  publish(body(1))
  // Code without a table of methods may be of any kind.
  expect(await kindsOf()).not.toEqual([])
  await kindsOf()
  expect(calls.length).toBe(2)
})

test('on a network, a library that was missing is requested again after a minute', async () => {
  const { book, calls, publish } = bookOver([])
  const code = codeRow(referenceTo(body(1)))
  const kindsOf = async () => [...(await book.of([code.hash], [code])).values()].flatMap(({ kinds }) => kinds)
  const now = performance.now.bind(performance)
  let later = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  onTestFinished(() => clock.mockRestore())
  expect(await kindsOf()).toEqual([])
  publish(body(1))
  later = 30_000
  expect(await kindsOf()).toEqual([])
  expect(calls).toHaveLength(1)
  later = 60_001
  // The cache looks at the clock no more than once a millisecond.
  await expect.poll(kindsOf).not.toEqual([])
  expect(calls).toHaveLength(2)
})

test('what is in a library is returned once, and again after a revert', async () => {
  const { book } = bookOver([body(1)])
  const codes = [referenceTo(body(1)), referenceTo(body(2)), body(3)].map(codeRow)
  const [code] = codes
  const look = () =>
    book.of(
      codes.map(({ hash }) => hash),
      codes,
    )
  await look()
  expect(book.learned()).toEqual([code])
  await look()
  expect(book.learned()).toEqual([])
  book.forget()
  await look()
  expect(book.learned()).toEqual([code])
})
