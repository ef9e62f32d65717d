// What is stored of a transaction's finished text, and back.

import type { z } from 'zod'
import type { Transaction } from '../../../../shared/v3/transaction.ts'
import { type AccountKey, LACKS, type MadeText, type StoredText, type TransactionFound } from '../../../store/index.ts'
import { rawOfKey } from '../../accountKey.ts'
import { toBase64 } from '../../view/base64.ts'
import { accountsOfTransaction, writeTransaction } from '../../view/v3/transaction.ts'
import { Written } from '../../written.ts'
import { MARK_LENGTH, marksOf, packText, unpackText } from './packedText.ts'

/**
 * Raised whenever the text of a transaction, a decoded body in it or a run of packed text changes: stored texts of another version
 * are not used, and are made again.
 */
export const TEXT_VERSION = 1

/** A longer text is made for each page it is on: a page of a thousand stored ones stays below 64 MB. */
const MOST_LENGTH = 64 * 1024

const KEY_BYTES = 33
const HEX_LENGTH = 2 * KEY_BYTES

const unpadded = (hash: Uint8Array): string => toBase64(hash).slice(0, MARK_LENGTH)

const lacksOf = ({ before, after }: TransactionFound): number =>
  (before === null ? LACKS.stateBefore : 0) | (after === null ? LACKS.stateAfter : 0)

/** An empty text stands for one that is not stored. */
export function makeText(found: TransactionFound): MadeText {
  const { row, inMessage, outMessages } = found
  const keys = new Map(accountsOfTransaction(found).map((key) => [rawOfKey(key), key]))
  const packed = packText({
    text: writeTransaction(found).json,
    marks: outMessages.map(({ hash }) => unpadded(hash)),
    given: [...keys.keys()],
  })
  const isWhole = inMessage !== null || row.inMsgHash === null
  const text = isWhole && packed !== null && packed.length <= MOST_LENGTH ? packed : ''
  return { row, lacks: lacksOf(found), accounts: Buffer.concat([...keys.values()]), text }
}

/** `80AB…` as `0:AB…`. */
const rawOfHex = (hex: string): string => `${Number.parseInt(hex.slice(0, 2), 16) - 128}:${hex.slice(2)}`

export interface ReadText {
  readonly text: Written<z.output<typeof Transaction>>
  /** Raw addresses of the accounts whose names are listed next to it. */
  readonly accounts: readonly string[]
}

export function readText({ text, accounts }: StoredText): ReadText {
  const raw: string[] = []
  for (let at = 0; at < accounts.length; at += HEX_LENGTH) raw.push(rawOfHex(accounts.slice(at, at + HEX_LENGTH)))
  return { text: new Written(unpackText(text, raw)), accounts: raw }
}

/** Keys of the same accounts. */
export function accountsOfText({ accounts }: StoredText): AccountKey[] {
  const bytes = Buffer.from(accounts, 'hex')
  return Array.from({ length: bytes.length / KEY_BYTES }, (_, i) => bytes.subarray(i * KEY_BYTES, (i + 1) * KEY_BYTES))
}

/** Hashes of the messages it sent, in base64. */
export const sentHashesOf = ({ text }: StoredText): string[] => marksOf(text).map((mark) => `${mark}=`)
