// Code by its hash, and what contracts with it may be.

import { LRUCache } from 'lru-cache'
import { type Cell, CellKind, type Hash, hashFromBytes, openAny, readBoc } from '../../cell/index.ts'
import type { Chain } from '../../node/index.ts'
import { type CodeRow, type Database, readCodes } from '../../store/index.ts'
import type { Lanes } from '../chain/lanes.ts'
import { candidateKinds, type KindName } from './candidates.ts'

export interface CodeBookParts {
  readonly chain: Pick<Chain, 'traits' | 'libraries'>
  readonly database: Pick<Database, 'transaction'>
  readonly lanes: Lanes
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface KnownCode {
  readonly cell: Cell
  readonly kinds: readonly KindName[]
}

/** Bytes of bags of cells; cells take some ten times as much. */
const KEPT_BYTES = 8 << 20
/** A library may be published later. */
const MISSING_MS = 60_000

export class CodeBook {
  readonly #parts: CodeBookParts
  readonly #codes = new LRUCache<Hash, KnownCode & { readonly bytes: number }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes + 256,
  })

  constructor(parts: CodeBookParts) {
    this.#parts = parts
  }

  /** The code of these hashes: `fresh` code, the rest from the store. */
  async of(hashes: readonly Uint8Array[], fresh: readonly CodeRow[]): Promise<Map<Hash, KnownCode>> {
    const found = new Map<Hash, KnownCode>()
    const missing = new Map<Hash, Uint8Array>()
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
    await Promise.all(
      [...given, ...stored].map(async ({ hash, boc }) => {
        const name = hashFromBytes(hash)
        found.set(name, await this.#read(name, boc))
      }),
    )
    return found
  }

  async #read(name: Hash, boc: Uint8Array): Promise<KnownCode> {
    const cell = readBoc(boc, { maxDepth: 1024 })
    const body = cell.kind === CellKind.library ? await this.#library(cell) : cell
    const code = {
      cell,
      kinds:
        body === null ? [] : candidateKinds({ hash: name, code: body, isPublic: this.#parts.chain.traits.isPublic }),
      bytes: boc.length,
    }
    this.#codes.set(name, code, body === null ? { ttl: MISSING_MS } : {})
    return code
  }

  /** The library behind a reference; null when it is unknown. */
  async #library(cell: Cell): Promise<Cell | null> {
    const { chain, lanes, timeoutMs, signal } = this.#parts
    const name = openAny(cell).skip(8).loadBytes(32)
    const found = await lanes.run(() => chain.libraries([name], { timeoutMs, signal }))
    return found.get(Buffer.from(name).toString('hex')) ?? null
  }
}

export const codeOf = (codes: ReadonlyMap<Hash, KnownCode>, hash: Uint8Array | null): KnownCode | null =>
  hash === null ? null : (codes.get(hashFromBytes(hash)) ?? null)
