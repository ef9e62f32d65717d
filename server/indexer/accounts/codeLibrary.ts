// Code of contracts by its hash: what the store has, what steps that are not written yet will bring, and the code itself
// where data of accounts refers to it.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, type Cell, hashFromBytes, MAX_DEPTH, readBoc } from '../../cell/index.ts'
import { codeRow } from '../../facts/index.ts'
import { type CodeRow, type Database, readCodes, readKnownCodes } from '../../store/index.ts'
import { upTo } from '../upTo.ts'

export const KEPT_CODES = 100_000
/** Cells take some ten times as much as their bag. */
const KEPT_BYTES = 16 * 1024 * 1024
const CELLS_BY_BOC = 10

interface BroughtCode {
  readonly row: CodeRow
  /** Of the earliest step that is known to bring it. */
  mcSeqno: number
}

export class CodeLibrary {
  readonly #read: Database['read']
  readonly #stored = new LRUCache<BinaryHash, true>({
    dispose: (_value, _key, reason) => {
      if (reason === 'evict') this.#hasAll = false
    },
    ...upTo(KEPT_CODES),
  })
  /** Code that steps bring and that is not written yet. Steps are written in order: later ones need not bring it again. */
  readonly #unwritten = new Map<BinaryHash, BroughtCode>()
  readonly #cells = new LRUCache<BinaryHash, Cell>({ maxSize: KEPT_BYTES })
  /** What is not here is not in the store either: so a fast run does not wait for its own writing. */
  #hasAll: boolean

  /** `stored` are hashes of code in the store, at most `KEPT_CODES`. */
  constructor(read: Database['read'], stored: readonly Uint8Array[]) {
    this.#read = read
    this.#hasAll = stored.length < KEPT_CODES
    for (const hash of stored) this.#stored.set(hashFromBytes(hash), true)
  }

  isStored(hash: Uint8Array): boolean {
    return this.#stored.has(hashFromBytes(hash))
  }

  /** Whether code is in the store, or will be no later than a step. */
  isKnown(hash: Uint8Array, mcSeqno: number): boolean {
    const brought = this.#unwritten.get(hashFromBytes(hash))
    return this.isStored(hash) || (brought !== undefined && brought.mcSeqno <= mcSeqno)
  }

  /** Notes that a step brings code; null when the store has it. */
  bring(code: Cell, mcSeqno: number): CodeRow | null {
    const hash = code.hash()
    if (this.#stored.has(hash)) return null
    const brought = this.#unwritten.get(hash) ?? { row: codeRow(code), mcSeqno }
    brought.mcSeqno = Math.min(brought.mcSeqno, mcSeqno)
    this.#unwritten.set(hash, brought)
    return brought.row
  }

  /** The rows of code that a step brings. */
  rowsOf(codes: Iterable<Cell | null>, mcSeqno: number): CodeRow[] {
    const rows = new Map<BinaryHash, CodeRow>()
    for (const code of codes) {
      const row = code === null ? null : this.bring(code, mcSeqno)
      if (code !== null && row !== null) rows.set(code.hash(), row)
    }
    return [...rows.values()]
  }

  /** Notes that these are in the store. */
  written(codes: readonly CodeRow[]): void {
    for (const { hash } of codes) {
      this.#stored.set(hashFromBytes(hash), true)
      this.#unwritten.delete(hashFromBytes(hash))
    }
  }

  /** Looks which of these the store has from earlier processes. */
  async look(hashes: readonly Uint8Array[]): Promise<void> {
    if (this.#hasAll || hashes.length === 0) return
    for (const hash of await readKnownCodes(this.#read, hashes)) this.#stored.set(hashFromBytes(hash), true)
  }

  /** Loads code so that `cell` has it, where it is known. */
  async load(hashes: readonly Uint8Array[]): Promise<void> {
    const wanted = new Map<BinaryHash, Uint8Array>()
    for (const hash of hashes) {
      const name = hashFromBytes(hash)
      if (this.#cells.has(name)) continue
      const unwritten = this.#unwritten.get(name)
      if (unwritten !== undefined) this.#keep(name, unwritten.row.boc)
      else if (this.#stored.has(name)) wanted.set(name, hash)
    }
    if (wanted.size === 0) return
    for (const { hash, boc } of await readCodes(this.#read, [...wanted.values()])) this.#keep(hashFromBytes(hash), boc)
  }

  #keep(name: BinaryHash, boc: Uint8Array): void {
    this.#cells.set(name, readBoc(boc, { maxDepth: MAX_DEPTH }), { size: CELLS_BY_BOC * boc.length + 256 })
  }

  cell(hash: Uint8Array): Cell | undefined {
    return this.#cells.get(hashFromBytes(hash))
  }
}
