// Code by its hash, and what contracts with it may be.

import { LRUCache } from 'lru-cache'
import {
  type BinaryHash,
  type Cell,
  CellKind,
  hashFromBytes,
  MAX_DEPTH,
  openAny,
  readingBoc,
} from '../../cell/index.ts'
import { libraryCodeRow } from '../../facts/index.ts'
import { inPieces } from '../../fairness/index.ts'
import { type Chain, LIBRARIES_PER_QUERY } from '../../node/index.ts'
import { type CodeRow, type Database, readCodes } from '../../store/index.ts'
import { type Asking, askNode } from '../chain/asking.ts'
import { candidateKinds, type KindName } from './candidates.ts'

export interface CodeBookParts extends Asking {
  readonly chain: Pick<Chain, 'traits' | 'libraries'>
  readonly database: Pick<Database, 'transaction'>
}

export interface CachedCode {
  readonly cell: Cell
  readonly kinds: readonly KindName[]
}

/** Bytes of bags of cells; cells take some ten times as much. */
const KEPT_BYTES = 8 << 20
/** A library may be published later: from a network it is requested again after this, from a chain of one's own each time. */
const MISSING_MS = 60_000

export class CodeBook {
  readonly #parts: CodeBookParts
  readonly #codes = new LRUCache<BinaryHash, CachedCode & { readonly bytes: number }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes + 256,
  })
  /** Rows of code whose library was found since `learned` was called. */
  #learned: CodeRow[] = []

  constructor(parts: CodeBookParts) {
    this.#parts = parts
  }

  /** The code of these hashes: `fresh` code, the rest from the store. */
  async of(hashes: readonly Uint8Array[], fresh: readonly CodeRow[]): Promise<Map<BinaryHash, CachedCode>> {
    const found = new Map<BinaryHash, CachedCode>()
    const missing = new Map<BinaryHash, Uint8Array>()
    for (const hash of hashes) {
      const name = hashFromBytes(hash)
      const known = this.#codes.get(name)
      if (known !== undefined) found.set(name, known)
      else missing.set(name, hash)
    }
    if (missing.size === 0) return found
    const given = fresh.filter(({ hash }) => missing.has(hashFromBytes(hash)))
    const there = new Set(given.map(({ hash }) => hashFromBytes(hash)))
    const wanted = [...missing].filter(([name]) => !there.has(name)).map(([, hash]) => hash)
    const stored = wanted.length === 0 ? [] : await this.#parts.database.transaction((sql) => readCodes(sql, wanted))
    const cells: { name: BinaryHash; cell: Cell; bytes: number }[] = []
    for (const { hash, boc } of [...given, ...stored])
      cells.push({
        name: hashFromBytes(hash),
        cell: await inPieces(readingBoc(boc, { maxDepth: MAX_DEPTH })),
        bytes: boc.length,
      })
    const libraries = await this.#libraries(cells.flatMap(({ cell }) => libraryOf(cell) ?? []))
    for (const { name, cell, bytes } of cells) {
      const library = libraryOf(cell)
      const body = library === null ? cell : (libraries.get(hex(library)) ?? null)
      found.set(name, this.#keep(name, { cell, body, bytes }))
    }
    return found
  }

  /** Rows that say what is in the library of a code: blocks show no more than its name. Each is returned once. */
  learned(): readonly CodeRow[] {
    const learned = this.#learned
    this.#learned = []
    return learned
  }

  /** Has all that was learned returned again, as it may not have been written. */
  forget(): void {
    this.#codes.clear()
    this.#learned = []
  }

  #keep(name: BinaryHash, { cell, body, bytes }: { cell: Cell; body: Cell | null; bytes: number }): CachedCode {
    const { isPublic } = this.#parts.chain.traits
    const kinds = body === null ? [] : candidateKinds({ hash: name, code: body, isPublic })
    const code = { cell, kinds, bytes }
    if (body !== null && body !== cell) this.#learned.push(libraryCodeRow(cell, body))
    if (body !== null || isPublic) this.#codes.set(name, code, body === null ? { ttl: MISSING_MS } : {})
    return code
  }

  /** By hash in hex; unknown ones are left out. */
  async #libraries(hashes: readonly Uint8Array[]): Promise<ReadonlyMap<string, Cell>> {
    const { chain } = this.#parts
    const portions: Uint8Array[][] = []
    for (let from = 0; from < hashes.length; from += LIBRARIES_PER_QUERY)
      portions.push(hashes.slice(from, from + LIBRARIES_PER_QUERY))
    const found = await Promise.all(
      portions.map((portion) => askNode(this.#parts, (options) => chain.libraries(portion, options))),
    )
    return new Map(found.flatMap((libraries) => [...libraries]))
  }
}

/** The hash a reference to a library names; null for other code. */
const libraryOf = (code: Cell): Uint8Array | null =>
  code.kind === CellKind.library ? openAny(code).skip(8).loadBytes(32) : null

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

export const cachedCodeOf = (codes: ReadonlyMap<BinaryHash, CachedCode>, hash: Uint8Array | null): CachedCode | null =>
  hash === null ? null : (codes.get(hashFromBytes(hash)) ?? null)
