// Messages of a page as text, from what the database sent: the same as `toIndexedMessage` makes of a row, and the transactions at
// their ends. As objects, a page of a hundred took three quarters of its time to make, to write and to clean up.

import { opcodeText } from '../../../../shared/abi/opcodeText.ts'
import { knownOperationName } from '../../../decode/index.ts'
import type { AccountKey, ByteSpan, ListedMessage, TextBytes } from '../../../store/index.ts'
import { chainPrefixOf } from '../../keyOfAccount.ts'
import { decodedTextOf } from './decoded.ts'
import { MOST_IMPORT_FEE } from './message.ts'

const QUOTE = 34

const codes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text))
/** With what is in front of the value. */
const named = (name: string): Uint8Array => codes(`,"${name}":`)

const [NULL, TRUE, FALSE] = [codes('null'), codes('true'), codes('false')]
const HASH = codes('{"hash":')
const [SOURCE, DESTINATION] = [named('source'), named('destination')]
const [VALUE, VALUE_EXTRA] = [named('value'), named('value_extra_currencies')]
const [FWD_FEE, IHR_FEE, IMPORT_FEE] = [named('fwd_fee'), named('ihr_fee'), named('import_fee')]
const [EXTRA_FLAGS, CREATED_LT, CREATED_AT] = [named('extra_flags'), named('created_lt'), named('created_at')]
const [OPCODE, DECODED_OPCODE] = [named('opcode'), named('decoded_opcode')]
const [IHR_DISABLED, BOUNCE, BOUNCED] = [named('ihr_disabled'), named('bounce'), named('bounced')]
const CONTENT = codes(',"message_content":{"hash":')
const [BODY, DECODED] = [named('body'), named('decoded')]
const [INIT, INIT_HASH, INIT_END] = [named('init_state'), codes('{"hash":'), codes(',"decoded":null}')]
const [HASH_NORM, IN_TX, OUT_TX] = [named('hash_norm'), named('in_msg_tx_hash'), named('out_msg_tx_hash')]
const END = 125

const add = (codes: Uint8Array, to: TextBytes): void => to.copy(codes, 0, codes.length)

function addBase64({ source, at, end }: ByteSpan, to: TextBytes): void {
  to.byte(QUOTE)
  to.base64(source, at, end)
  to.byte(QUOTE)
}

/** Left out without a value. */
function addMaybe(name: Uint8Array, hash: ByteSpan | null, to: TextBytes): void {
  if (hash === null) return
  add(name, to)
  addBase64(hash, to)
}

function addAccount(name: Uint8Array, key: ByteSpan | null, to: TextBytes): void {
  add(name, to)
  if (key === null) {
    add(NULL, to)
    return
  }
  const { source, at, end } = key
  to.byte(QUOTE)
  to.string(chainPrefixOf(source[at] ?? 0))
  to.hex(source, at + 1, end)
  to.byte(QUOTE)
}

function addDigits(name: Uint8Array, digits: ByteSpan | null, to: TextBytes): void {
  add(name, to)
  if (digits === null) {
    add(NULL, to)
    return
  }
  to.byte(QUOTE)
  to.copy(digits.source, digits.at, digits.end)
  to.byte(QUOTE)
}

function addFlag(name: Uint8Array, flag: boolean | null, to: TextBytes): void {
  add(name, to)
  add(flag === null ? NULL : flag ? TRUE : FALSE, to)
}

const bytesOf = ({ source, at, end }: ByteSpan): Buffer => Buffer.from(source.buffer, source.byteOffset + at, end - at)

/** Fewer digits are below the limit. */
const DIGITS_OF_LIMIT = MOST_IMPORT_FEE.toString().length

const shownImportFee = (fee: ByteSpan | null): ByteSpan | null =>
  fee === null || fee.length < DIGITS_OF_LIMIT || BigInt(bytesOf(fee).toString()) < MOST_IMPORT_FEE ? fee : null

/** As the database has it, or as it writes it. */
function addCurrencies(extra: ByteSpan | null, to: TextBytes): void {
  add(VALUE_EXTRA, to)
  if (extra === null) add(NULL, to)
  else to.string(JSON.stringify(JSON.parse(bytesOf(extra).toString())))
}

function addOpcode(opcode: number | null, to: TextBytes): void {
  add(OPCODE, to)
  to.string(opcode === null ? 'null' : `"${opcodeText(opcode)}"`)
  add(DECODED_OPCODE, to)
  to.string(opcode === null ? 'null' : JSON.stringify(knownOperationName(opcode >>> 0)))
}

function addBags({ bodyHash, body, initHash, init }: ListedMessage, to: TextBytes): void {
  add(CONTENT, to)
  addBase64(bodyHash, to)
  add(BODY, to)
  addBase64(body, to)
  add(DECODED, to)
  to.string(decodedTextOf(bytesOf(bodyHash), () => bytesOf(body)))
  to.byte(END)
  add(INIT, to)
  if (initHash === null || init === null) {
    add(NULL, to)
    return
  }
  add(INIT_HASH, to)
  addBase64(initHash, to)
  add(BODY, to)
  addBase64(init, to)
  add(INIT_END, to)
}

/** With the transactions at its ends. */
export function addListedMessage(message: ListedMessage, to: TextBytes): void {
  add(HASH, to)
  addBase64(message.hash, to)
  addAccount(SOURCE, message.source, to)
  addAccount(DESTINATION, message.destination, to)
  addDigits(VALUE, message.value, to)
  addCurrencies(message.valueExtra, to)
  addDigits(FWD_FEE, message.fwdFee, to)
  addDigits(IHR_FEE, message.ihrFee, to)
  addDigits(EXTRA_FLAGS, message.extraFlags, to)
  addDigits(CREATED_LT, message.sentLt, to)
  addDigits(CREATED_AT, message.sentAt, to)
  addOpcode(message.opcode, to)
  addFlag(IHR_DISABLED, message.ihrDisabled, to)
  addFlag(BOUNCE, message.bounce, to)
  addFlag(BOUNCED, message.bounced, to)
  addDigits(IMPORT_FEE, shownImportFee(message.importFee), to)
  addBags(message, to)
  addMaybe(HASH_NORM, message.hashNorm, to)
  addMaybe(IN_TX, message.inTxHash, to)
  addMaybe(OUT_TX, message.outTxHash, to)
  to.byte(END)
}

/** The accounts for its address book, each once, by their keys in hex, in large letters. */
export function accountsAtEnds(messages: readonly ListedMessage[]): Map<string, AccountKey> {
  const found = new Map<string, AccountKey>()
  for (const { source, destination } of messages)
    for (const key of [source, destination]) {
      if (key === null) continue
      const hex = bytesOf(key).toString('hex').toUpperCase()
      if (!found.has(hex)) found.set(hex, key.source.slice(key.at, key.end))
    }
  return found
}
