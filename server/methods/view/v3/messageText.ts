// Messages of a page as text, from what the database sent: the same as `toIndexedMessage` makes of a row, and the transactions at
// their ends. As objects, a page of a hundred took three quarters of its time to make, to write and to clean up.

import { opcodeText } from '../../../../shared/abi/opcodeText.ts'
import { knownOperationName } from '../../../decode/index.ts'
import type { ByteSpan, ListedMessage, TextBytes } from '../../../store/index.ts'
import { decodedTextOf } from './decoded.ts'
import {
  addAccount,
  addBase64,
  addCodes,
  addDigits,
  addFlag,
  addMaybe,
  addNull,
  bufferOfSpan,
  firstMember,
  member,
  utf8Codes,
} from './fieldBytes.ts'
import { MOST_IMPORT_FEE } from './message.ts'

const HASH = firstMember('hash')
const [SOURCE, DESTINATION] = [member('source'), member('destination')]
const [VALUE, VALUE_EXTRA] = [member('value'), member('value_extra_currencies')]
const [FWD_FEE, IHR_FEE, IMPORT_FEE] = [member('fwd_fee'), member('ihr_fee'), member('import_fee')]
const [EXTRA_FLAGS, CREATED_LT, CREATED_AT] = [member('extra_flags'), member('created_lt'), member('created_at')]
const [OPCODE, DECODED_OPCODE] = [member('opcode'), member('decoded_opcode')]
const [IHR_DISABLED, BOUNCE, BOUNCED] = [member('ihr_disabled'), member('bounce'), member('bounced')]
const CONTENT = utf8Codes(',"message_content":{"hash":')
const [BODY, DECODED] = [member('body'), member('decoded')]
const [INIT, INIT_HASH, INIT_END] = [member('init_state'), firstMember('hash'), utf8Codes(',"decoded":null}')]
const [HASH_NORM, IN_TX, OUT_TX] = [member('hash_norm'), member('in_msg_tx_hash'), member('out_msg_tx_hash')]
const END = 125

/** Fewer digits are below the limit. */
const DIGITS_OF_LIMIT = MOST_IMPORT_FEE.toString().length

const shownImportFee = (fee: ByteSpan | null): ByteSpan | null =>
  fee === null || fee.length < DIGITS_OF_LIMIT || BigInt(bufferOfSpan(fee).toString()) < MOST_IMPORT_FEE ? fee : null

/** As the database has it, or as it writes it. */
function addCurrencies(extra: ByteSpan | null, to: TextBytes): void {
  addCodes(VALUE_EXTRA, to)
  if (extra === null) addNull(to)
  else to.string(JSON.stringify(JSON.parse(bufferOfSpan(extra).toString())))
}

function addOpcode(opcode: number | null, to: TextBytes): void {
  addCodes(OPCODE, to)
  to.string(opcode === null ? 'null' : `"${opcodeText(opcode)}"`)
  addCodes(DECODED_OPCODE, to)
  to.string(opcode === null ? 'null' : JSON.stringify(knownOperationName(opcode >>> 0)))
}

function addBags({ bodyHash, body, initHash, init }: ListedMessage, to: TextBytes): void {
  addCodes(CONTENT, to)
  addBase64(bodyHash, to)
  addCodes(BODY, to)
  addBase64(body, to)
  addCodes(DECODED, to)
  to.string(decodedTextOf(bufferOfSpan(bodyHash), () => bufferOfSpan(body)))
  to.byte(END)
  addCodes(INIT, to)
  if (initHash === null || init === null) {
    addNull(to)
    return
  }
  addCodes(INIT_HASH, to)
  addBase64(initHash, to)
  addCodes(BODY, to)
  addBase64(init, to)
  addCodes(INIT_END, to)
}

/** With the transactions at its ends. */
export function addListedMessage(message: ListedMessage, to: TextBytes): void {
  addCodes(HASH, to)
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

/** Those for its address book. */
export const accountsAtEnds = ({ source, destination }: ListedMessage): readonly (ByteSpan | null)[] => [
  source,
  destination,
]
