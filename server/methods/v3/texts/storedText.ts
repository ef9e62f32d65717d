// What is stored of a transaction's finished text, and back.

import type { z } from 'zod'
import type { Transaction } from '../../../../shared/v3/transaction.ts'
import {
  type AccountKey,
  hashesOfRow,
  holeOf,
  LACKS,
  MARK_LENGTH,
  type MadeText,
  marksOf,
  numbersOfRow,
  numbersOfText,
  packText,
  type SharedBagRow,
  type StoredText,
  sharedBagsOf,
  type TransactionFound,
  unpackText,
} from '../../../store/index.ts'
import { rawOfHex, rawOfKey } from '../../keyOfAccount.ts'
import { quickBase64 } from '../../view/base64.ts'
import { accountsOfTransaction, writeIndexedTransaction } from '../../view/v3/transaction.ts'
import { Written } from '../../written.ts'

/**
 * Raised whenever the text of a transaction, a decoded body in it or a run of packed text changes: stored texts of another version
 * are not used, and are made again.
 */
export const TEXT_VERSION = 4

/** A longer text is made for each page it is on: a page of a thousand stored ones stays below 64 MB. */
const MOST_LENGTH = 64 * 1024

/** The first of the values that the reader knows have short numbers: those behind these are mostly accounts. */
const MOST_SHARED = 32

const KEY_BYTES = 33
const HEX_LENGTH = 2 * KEY_BYTES
const HASH_BYTES = 32

/** In place of the description, which the row of the transaction has. */
const DESCRIPTION = holeOf(0)

const unpadded = (hash: Uint8Array): string => quickBase64(hash).slice(0, MARK_LENGTH)

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

/** An empty text stands for one that is not stored. */
export function makeText(found: TransactionFound): MadeText {
  const { row, inMessage, outMessages } = found
  const keys = new Map(accountsOfTransaction(found).map((key) => [rawOfKey(key), key]))
  const shared = sharedBagsOf(inMessage === null ? outMessages : [inMessage, ...outMessages]).slice(0, MOST_SHARED)
  const bags: Buffer[] = []
  const parts = {
    text: writeIndexedTransaction({ ...found, row: { ...row, description: DESCRIPTION } }).json,
    marks: outMessages.map(({ hash }) => unpadded(hash)),
    given: givenBy({
      numbers: numbersOfRow(row),
      hashes: hashesOfRow(row).map(unpadded),
      shared: shared.map(({ bag }) => quickBase64(bag)),
      accounts: [...keys.keys()],
    }),
  }
  const packed = packText(parts, bags)
  const bytes = Buffer.concat(bags)
  const isWhole = inMessage !== null || row.inMsgHash === null
  const isStored = isWhole && packed !== null && packed.length + bytes.length + lengthOf(shared) <= MOST_LENGTH
  return {
    row,
    lacks: lacksOf(found),
    accounts: Buffer.concat([...keys.values()].slice(1)),
    text: isStored ? packed : '',
    bags: isStored ? bytes : Buffer.alloc(0),
    shared: isStored ? Buffer.concat(shared.map(({ hash }) => hash)) : Buffer.alloc(0),
  }
}

export interface ReadText {
  readonly text: Written<z.output<typeof Transaction>>
  /** Keys in hex, in large letters, of the accounts whose names are listed next to it. */
  readonly accounts: readonly string[]
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

export function readText(stored: StoredText): ReadText {
  const { text, description, bags, shared } = stored
  // In the order of `givenBy`: a page has hundreds of them, so that lists are not joined.
  const given = numbersOfText(stored)
  const hashes = bufferOf(stored.hashes)
  for (let at = 0; at < hashes.length; at += HASH_BYTES)
    given.push(hashes.toString('base64', at, at + HASH_BYTES).slice(0, MARK_LENGTH))
  for (const bag of shared) given.push(bag)
  const accounts = bufferOf(stored.accounts).toString('hex').toUpperCase()
  const keys: string[] = []
  for (let at = 0; at < accounts.length; at += HEX_LENGTH) keys.push(accounts.slice(at, at + HEX_LENGTH))
  for (const key of keys) given.push(rawOfHex(key))
  for (const key of keys) given.push(key.slice(2))
  return { text: new Written(unpackText(text, given, [description], bufferOf(bags))), accounts: keys }
}

/** Keys of the same accounts. */
export const accountsOfText = ({ accounts }: StoredText): AccountKey[] =>
  Array.from({ length: accounts.length / KEY_BYTES }, (_, i) => accounts.subarray(i * KEY_BYTES, (i + 1) * KEY_BYTES))

/** Hashes of the messages it sent, in base64. */
export const sentHashesOf = ({ text, bags }: StoredText): string[] =>
  marksOf(text, bufferOf(bags)).map((mark) => `${mark}=`)
