// Content of tokens and records of DNS, written by hand as the standards say.

import {
  type BinaryHash,
  beginCell,
  buildDict,
  type Cell,
  dictHashKey,
  dictKind,
  refValue,
  type StdAddress,
  sha256,
  storeAddress,
  uintKey,
} from '../../server/cell/index.ts'

const CELL_BYTES = 127

/** Bytes from cell to cell, behind some bytes in the first. */
export function snake(bytes: Uint8Array, head: readonly number[] = [], most = CELL_BYTES): Cell {
  const own = bytes.subarray(0, most - head.length)
  const builder = beginCell().storeBytes(Uint8Array.from(head)).storeBytes(own)
  if (own.length < bytes.length) builder.storeRef(snake(bytes.subarray(own.length), [], most))
  return builder.end()
}

export const snakeText = (text: string, head: readonly number[] = []): Cell => snake(Buffer.from(text), head)

const chunkKind = dictKind(uintKey(32), refValue)

/** Bytes in a dictionary of parts. */
export function chunked(bytes: Uint8Array, size: number): Cell {
  const parts: [number, Cell][] = []
  for (let at = 0; at < bytes.length; at += size) parts.push([parts.length, snake(bytes.subarray(at, at + size))])
  return beginCell().storeUint(1, 8).storeMaybeRef(buildDict(chunkKind, parts).root).end()
}

export const keyOf = (name: string): BinaryHash => sha256(Buffer.from(name))

const cellsKind = dictKind(dictHashKey, refValue)

/** The root of a dictionary of cells by the hashes of their names; a name may be such a hash. */
export const namedCells = (entries: Readonly<Record<string, Cell>>): Cell | null =>
  buildDict(
    cellsKind,
    Object.entries(entries).map(([name, cell]) => [keyOf(name), cell] as const),
  ).root

export const offchain = (uri: string): Cell => snakeText(uri, [1])

export const onchainCells = (entries: Readonly<Record<string, Cell>>): Cell =>
  beginCell().storeUint(0, 8).storeMaybeRef(namedCells(entries)).end()

/** All values as snakes. */
export const onchain = (values: Readonly<Record<string, string>>): Cell =>
  onchainCells(Object.fromEntries(Object.entries(values).map(([name, text]) => [name, snakeText(text, [0])])))

export const smcRecord = (address: StdAddress): Cell =>
  storeAddress(beginCell().storeUint(0x9fd3, 16), address).storeUint(0, 8).end()

export const resolverRecord = (address: StdAddress): Cell =>
  storeAddress(beginCell().storeUint(0xba93, 16), address).end()

export const adnlRecord = (adnl: Uint8Array): Cell =>
  beginCell().storeUint(0xad01, 16).storeBytes(adnl).storeUint(0, 8).end()

export const storageRecord = (bag: Uint8Array): Cell => beginCell().storeUint(0x7473, 16).storeBytes(bag).end()

/** Chunks of up to 50 bytes, each in a cell of its own but for the first. */
export function textRecord(text: string): Cell {
  const bytes = Buffer.from(text)
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 50) chunks.push(bytes.subarray(at, at + 50))
  const head = beginCell().storeUint(0x1eda, 16).storeUint(chunks.length, 8)
  const rest = chunks.slice(1).reduceRight<Cell | null>((next, chunk) => {
    const builder = beginCell().storeUint(chunk.length, 8).storeBytes(chunk)
    return (next === null ? builder : builder.storeRef(next)).end()
  }, null)
  const [first] = chunks
  if (first !== undefined) head.storeUint(first.length, 8).storeBytes(first)
  return (rest === null ? head : head.storeRef(rest)).end()
}
