// Actions as text, from what the database sent: the same as `toAction` makes of a row. Details are stored as they go over the wire, and
// are not parsed.

import type { AccountKey, LeftOut, ListedAction, UnpackedText } from '../../../store/index.ts'
import { CLOSE_LIST, COLON, COMMA, OPEN_LIST, QUOTE } from '../jsonCodes.ts'
import { shownType } from './action.ts'
import {
  addBase64,
  addCodes,
  addCount,
  addFlag,
  addHash,
  addLt,
  addMaybe,
  addRaw,
  bufferOfSpan,
  firstMember,
  member,
  utf8Codes,
} from './fieldBytes.ts'

const OBJECT = 123

const TRACE = firstMember('trace_id')
const ACTION = member('action_id')
const START_LT = member('start_lt')
const END_LT = member('end_lt')
const START_UTIME = member('start_utime')
const END_UTIME = member('end_utime')
const TRACE_END_LT = member('trace_end_lt')
const TRACE_END_UTIME = member('trace_end_utime')
const TRACE_MC_SEQNO_END = member('trace_mc_seqno_end')
const TRANSACTIONS = member('transactions')
const SUCCESS = member('success')
const TYPE = member('type')
const DETAILS = member('details')
const FINALITY = utf8Codes(',"finality":"finalized"')
const HASH = member('trace_external_hash')
const HASH_NORM = member('trace_external_hash_norm')
const PARENT_GASLESS = member('parent_gasless_action')
const ACCOUNTS = member('accounts')

/** Names of accounts are listed next to actions, by their keys, with a character for each byte. */
type Names = Set<string>

class Parties implements LeftOut {
  readonly #keys: readonly AccountKey[]

  constructor(keys: readonly AccountKey[]) {
    this.#keys = keys
  }

  given(number: number, to: UnpackedText): void {
    const key = this.#keys[number]
    if (key !== undefined) addRaw(key, 0, key.length, to)
  }

  hole(): void {}
}

/** Rows of older indexes have them unpacked. */
function addDetails({ details, parties }: ListedAction, to: UnpackedText): void {
  const { source, at, end } = details
  if (source[at] === OBJECT) to.copy(source, at, end)
  else to.unpack({ text: details, bags: null }, new Parties(parties))
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57
const isHex = (byte: number | undefined): boolean => isDigit(byte) || (byte !== undefined && byte >= 65 && byte <= 70)

const HEX_LENGTH = 64
const MOST_DIGITS = 3

/** The workchain in front of a colon, with a quote before it that begins a value; null for anything else. */
function workchainBefore(text: Buffer, colon: number): number | null {
  let at = colon - 1
  while (isDigit(text[at]) && colon - at <= MOST_DIGITS) at--
  if (at === colon - 1) return null
  if (text[at] === 45) at--
  const before = text[at - 1]
  if (text[at] !== QUOTE || (before !== COLON && before !== OPEN_LIST && before !== COMMA)) return null
  const workchain = Number(text.toString('latin1', at + 1, colon))
  return workchain >= -128 && workchain <= 127 ? workchain : null
}

function isHashBehind(text: Buffer, colon: number): boolean {
  const end = colon + 1 + HEX_LENGTH
  // A name has a colon behind it.
  if (text[end] !== QUOTE || text[end + 1] === COLON) return false
  for (let i = colon + 1; i < end; i++) if (!isHex(text[i])) return false
  return true
}

const KEY = Buffer.alloc(33)

/** Accounts that are values in JSON, as JSON.stringify writes it: quotes inside of a text have a backslash in front. */
function nameAccounts(text: Buffer, names: Names): void {
  for (let i = 1; i < text.length; i++) {
    if (text[i] !== COLON || !isDigit(text[i - 1]) || !isHashBehind(text, i)) continue
    const workchain = workchainBefore(text, i)
    if (workchain === null) continue
    KEY[0] = workchain + 128
    KEY.write(text.toString('latin1', i + 1, i + 1 + HEX_LENGTH), 1, 'hex')
    names.add(KEY.toString('latin1'))
  }
}

const CURRENCIES = Buffer.from('extra_currencies":')

/** What carries another currency may have another type than the row. */
function typeOf({ type }: ListedAction, details: Buffer): string | null {
  if (details.indexOf(CURRENCIES) < 0) return null
  const stored = bufferOfSpan(type).toString()
  const shown = shownType(stored, JSON.parse(details.toString()))
  return shown === stored ? null : shown
}

function addTypeAndDetails(row: ListedAction, to: UnpackedText, names: Names): void {
  const from = to.at
  const { source, at, end } = row.type
  addCodes(TYPE, to)
  to.byte(QUOTE)
  to.copy(source, at, end)
  to.byte(QUOTE)
  addCodes(DETAILS, to)
  const begun = to.at
  addDetails(row, to)
  const details = to.written(begun)
  nameAccounts(details, names)
  const other = typeOf(row, details)
  if (other === null) return
  const copy = Buffer.from(details)
  to.back(from)
  addCodes(TYPE, to)
  to.string(JSON.stringify(other))
  addCodes(DETAILS, to)
  to.copy(copy, 0, copy.length)
}

function addTransactions({ transactions }: ListedAction, to: UnpackedText): void {
  addCodes(TRANSACTIONS, to)
  to.byte(OPEN_LIST)
  for (const [i, hash] of transactions.entries()) {
    if (i > 0) to.byte(COMMA)
    to.byte(QUOTE)
    to.base64(hash, 0, hash.length)
    to.byte(QUOTE)
  }
  to.byte(CLOSE_LIST)
}

/** But for the brace at its end: its caller may have more to say. Its accounts are added to `names`. */
export function addAction(row: ListedAction, to: UnpackedText, names: Names): void {
  const { traceExternalHash: hash, traceExternalHashNorm: norm } = row
  addCodes(TRACE, to)
  addBase64(row.traceId, to)
  addHash(ACTION, row.actionId, to)
  addLt(START_LT, row.startLt, to)
  addLt(END_LT, row.endLt, to)
  addCount(START_UTIME, row.startUtime, to)
  addCount(END_UTIME, row.endUtime, to)
  addLt(TRACE_END_LT, row.traceEndLt, to)
  addCount(TRACE_END_UTIME, row.traceEndUtime, to)
  addCount(TRACE_MC_SEQNO_END, row.traceMcSeqnoEnd, to)
  addTransactions(row, to)
  addFlag(SUCCESS, row.success, to)
  addTypeAndDetails(row, to, names)
  addCodes(FINALITY, to)
  addMaybe(HASH, hash, to)
  // An empty one is the hash itself.
  addMaybe(HASH_NORM, norm?.length === 0 ? hash : norm, to)
  addMaybe(PARENT_GASLESS, row.parentGaslessAction, to)
}

/** All accounts of an action. */
export function addParties({ parties }: ListedAction, to: UnpackedText): void {
  addCodes(ACCOUNTS, to)
  to.byte(OPEN_LIST)
  for (const [i, key] of parties.entries()) {
    if (i > 0) to.byte(COMMA)
    to.byte(QUOTE)
    addRaw(key, 0, key.length, to)
    to.byte(QUOTE)
  }
  to.byte(CLOSE_LIST)
}
