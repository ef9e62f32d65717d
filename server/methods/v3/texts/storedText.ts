// What is stored of a transaction's finished text, and back.

import { createHash } from 'node:crypto'
import { base64Of } from '../../../cell/index.ts'
import { schemesFingerprint } from '../../../decode/index.ts'
import {
  type ByteSpan,
  hashesOfRow,
  holeOf,
  LACKS,
  type LeftOut,
  MARK_LENGTH,
  type MadeText,
  marksOf,
  NumbersInText,
  numbersOfRow,
  packText,
  type SharedBagRow,
  type StoredText,
  sharedBagsOf,
  type TransactionFound,
  type UnpackedText,
} from '../../../store/index.ts'
import { chainPrefixOf, rawOfKey } from '../../keyOfAccount.ts'
import { accountsOfTransaction, isLargeTransaction, writeIndexedTransaction } from '../../view/v3/transaction.ts'

/** Raised whenever the text of a transaction, the reading of a body in it or a run of packed text changes. */
export const TEXT_FORMAT = 7

/** Of a format and the schemes that bodies are decoded by. The column has 16 bits. */
export const textVersionOf = (format: number, schemes: string): number =>
  createHash('sha256').update(`${format} ${schemes}`).digest().readInt16BE()

let version: number | null = null

/** The version of texts that this program makes: stored texts of another version are not used, and are made again. */
export function textVersion(): number {
  version ??= textVersionOf(TEXT_FORMAT, schemesFingerprint())
  return version
}

/** A longer text is made for each page it is on: a page of a thousand stored ones stays below 64 MB. */
const MOST_LENGTH = 64 * 1024

/** The first of the values that the reader knows have short numbers: those behind these are mostly accounts. */
const MOST_SHARED = 32

const KEY_BYTES = 33
const HASH_BYTES = 32
/** `{` */
const OBJECT = 123

/** In place of the description, which the row of the transaction has. */
const DESCRIPTION = holeOf(0)

const unpadded = (hash: Uint8Array): string => base64Of(hash).slice(0, MARK_LENGTH)

interface Known {
  readonly numbers: readonly string[]
  readonly hashes: readonly string[]
  readonly shared: readonly string[]
  readonly accounts: readonly string[]
}

/** Runs end in front of an address or behind its workchain. */
const givenBy = ({ numbers, hashes, shared, accounts }: Known): string[] => [
  ...numbers,
  ...hashes,
  ...shared,
  ...accounts,
  ...accounts.map((raw) => raw.slice(raw.indexOf(':') + 1)),
]

const lacksOf = ({ before, after }: TransactionFound): number =>
  (before === null ? LACKS.stateBefore : 0) | (after === null ? LACKS.stateAfter : 0)

const lengthOf = (bags: readonly SharedBagRow[]): number => bags.reduce((sum, { bag }) => sum + bag.length, 0)

const NOT_STORED = { text: '', bags: Buffer.alloc(0), shared: Buffer.alloc(0) }

/** Null for one that is not stored. */
function packed(
  found: TransactionFound,
  accounts: readonly string[],
): Pick<MadeText, 'text' | 'bags' | 'shared'> | null {
  const { row, inMessage, outMessages } = found
  const isWhole = inMessage !== null || row.inMsgHash === null
  // Packed, a large one may be short, but it would be unpacked in one piece.
  if (!isWhole || isLargeTransaction(found)) return null
  const shared = sharedBagsOf(inMessage === null ? outMessages : [inMessage, ...outMessages]).slice(0, MOST_SHARED)
  const bags: Buffer[] = []
  const parts = {
    text: writeIndexedTransaction({ ...found, row: { ...row, description: DESCRIPTION } }).json,
    marks: outMessages.map(({ hash }) => unpadded(hash)),
    given: givenBy({
      numbers: numbersOfRow(row),
      hashes: hashesOfRow(row).map(unpadded),
      shared: shared.map(({ bag }) => base64Of(bag)),
      accounts,
    }),
  }
  const text = packText(parts, bags)
  const bytes = Buffer.concat(bags)
  if (text === null || text.length + bytes.length + lengthOf(shared) > MOST_LENGTH) return null
  return { text, bags: bytes, shared: Buffer.concat(shared.map(({ hash }) => hash)) }
}

/** An empty text stands for one that is not stored. */
export function makeText(found: TransactionFound): MadeText {
  const keys = new Map(accountsOfTransaction(found).map((key) => [rawOfKey(key), key]))
  return {
    row: found.row,
    lacks: lacksOf(found),
    accounts: Buffer.concat([...keys.values()].slice(1)),
    ...(packed(found, [...keys.keys()]) ?? NOT_STORED),
  }
}

const numbers = new NumbersInText()

/** What a stored text leaves out, in the order of `givenBy`. A page has some thousand such values: none is an object. */
class LeftOutOfText implements LeftOut {
  readonly #stored: StoredText
  readonly #numbers: number

  constructor(stored: StoredText) {
    this.#stored = stored
    numbers.open(stored)
    this.#numbers = numbers.count
  }

  given(number: number, to: UnpackedText): void {
    const { hashes, shared } = this.#stored
    if (number < this.#numbers) {
      numbers.add(number, to)
      return
    }
    const behind = number - this.#numbers
    const hashCount = hashes.length / HASH_BYTES
    if (behind < hashCount) {
      to.hash(hashes.source, hashes.at + behind * HASH_BYTES)
      return
    }
    const bag = shared[behind - hashCount]
    if (bag === undefined) this.#account(behind - hashCount - shared.length, to)
    else to.base64(bag.source, bag.at, bag.end)
  }

  /** Each with its workchain, then each without it. */
  #account(number: number, to: UnpackedText): void {
    const { source, at, length } = this.#stored.accounts
    const count = length / KEY_BYTES
    if (number >= 2 * count) return
    const from = at + (number % count) * KEY_BYTES
    if (number < count) to.ascii(chainPrefixOf(source[from] ?? 0))
    to.hex(source, from + 1, from + KEY_BYTES)
  }

  hole(_: number, to: UnpackedText): void {
    const { source, at, end } = this.#stored.description
    // Those of older indexes are not packed.
    if (source[at] === OBJECT) to.copy(source, at, end)
    else to.unpack({ text: this.#stored.description, bags: null })
  }
}

export function addText(stored: StoredText, to: UnpackedText): void {
  to.unpack(stored, new LeftOutOfText(stored))
}

const bufferOf = ({ source, at, length }: ByteSpan): Buffer =>
  Buffer.from(source.buffer, source.byteOffset + at, length)

/** Adds the keys of the accounts whose names are listed next to it, with a character for each byte. */
export function addNamedBy({ accounts }: StoredText, to: Set<string>): void {
  const all = bufferOf(accounts).toString('latin1')
  for (let at = 0; at < all.length; at += KEY_BYTES) to.add(all.slice(at, at + KEY_BYTES))
}

/** Hashes of the messages it sent, in base64. */
export const sentHashesOf = (stored: StoredText): string[] => marksOf(stored)
