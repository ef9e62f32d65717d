// Messages of a page as text, from the rows as they were received: the same as `toIndexedMessage` makes of a row, and the transactions
// at their ends. As objects, a page of a hundred took three quarters of its time to make, to write and to clean up.

import { opcodeText } from '../../../../shared/abi/opcodeText.ts'
import { ByteSpan, COLUMNS_OF_MESSAGE, columnOfMessage, RowPlaces, type TextBytes } from '../../../store/index.ts'
import { CLOSE_OBJECT, QUOTE } from '../jsonCodes.ts'
import { operationNameOf } from '../operationNameOf.ts'
import { addDecoded } from './decoded.ts'
import { addCodes, addFlagValue, addNull, addRaw, firstMember, member, utf8Codes } from './fieldBytes.ts'
import { MOST_IMPORT_FEE } from './message.ts'

type Add = (to: TextBytes) => void
type Part = readonly [name: Uint8Array, add: Add]

/** The row that is written. */
const row = new RowPlaces(COLUMNS_OF_MESSAGE)

const bytesOf = (column: number): Buffer =>
  Buffer.from(row.source.buffer, row.source.byteOffset + row.at(column), row.end(column) - row.at(column))

const addBase64 = (column: number, to: TextBytes): void => {
  to.byte(QUOTE)
  to.base64(row.source, row.at(column), row.end(column))
  to.byte(QUOTE)
}

/** `null` where the column is. */
function orNull(name: string, add: (column: number, to: TextBytes) => void): Add {
  const column = columnOfMessage(name)
  return (to) => {
    if (row.isNull(column)) addNull(to)
    else add(column, to)
  }
}

const account = (name: string): Add =>
  orNull(name, (column, to) => {
    to.byte(QUOTE)
    addRaw(row.source, row.at(column), row.end(column), to)
    to.byte(QUOTE)
  })

const addDigits = (column: number, to: TextBytes): void => {
  to.byte(QUOTE)
  to.copy(row.source, row.at(column), row.end(column))
  to.byte(QUOTE)
}

const digits = (name: string): Add => orNull(name, addDigits)

/** Not negative. */
const long = (name: string): Add =>
  orNull(name, (column, to) => {
    const value = row.exact(column)
    to.byte(QUOTE)
    if (value >= 0) to.digits(value)
    else to.string(String(row.int8(column)))
    to.byte(QUOTE)
  })

const flag = (name: string): Add => orNull(name, (column, to) => addFlagValue(row.bool(column), to))

/** Fewer digits are below the limit. */
const DIGITS_OF_LIMIT = MOST_IMPORT_FEE.toString().length

const importFee = orNull('import_fee', (column, to) => {
  const isShort = row.end(column) - row.at(column) < DIGITS_OF_LIMIT
  if (isShort || BigInt(bytesOf(column).toString()) < MOST_IMPORT_FEE) addDigits(column, to)
  else addNull(to)
})

const NO_CURRENCIES = '{}'

/** As the database has it, or as it writes it. */
const currencies = orNull('value_extra', (column, to) => {
  if (row.end(column) - row.at(column) === NO_CURRENCIES.length) to.ascii(NO_CURRENCIES)
  else to.string(JSON.stringify(JSON.parse(bytesOf(column).toString())))
})

/** Anybody can make one up. */
const MOST_OPERATIONS = 1000
const operations = { came: new Map<number, Uint8Array>(), cameBack: new Map<number, Uint8Array>() }

/** An operation as it is shown, and its name. */
function codesOfOperation(opcode: number, isBounced: boolean): Uint8Array {
  const shown = isBounced ? operations.cameBack : operations.came
  const known = shown.get(opcode)
  if (known !== undefined) return known
  const name = JSON.stringify(operationNameOf(opcode >>> 0, isBounced))
  const codes = utf8Codes(`"${opcodeText(opcode)}","decoded_opcode":${name}`)
  if (shown.size >= MOST_OPERATIONS) shown.clear()
  shown.set(opcode, codes)
  return codes
}

const NO_OPERATION = utf8Codes('null,"decoded_opcode":null')
const OPCODE = columnOfMessage('opcode')
const BOUNCED = columnOfMessage('bounced')
const isBounced = (): boolean => !row.isNull(BOUNCED) && row.bool(BOUNCED)

const operation: Add = (to) =>
  addCodes(row.isNull(OPCODE) ? NO_OPERATION : codesOfOperation(row.int4(OPCODE), isBounced()), to)

const BODY_HASH = columnOfMessage('body_hash')
const BODY = columnOfMessage('body')
const INIT_HASH = columnOfMessage('init_hash')
const INIT = columnOfMessage('init')
const OF_HASH = firstMember('hash')
const OF_BODY = member('body')
const OF_DECODED = member('decoded')
const INIT_END = utf8Codes(',"decoded":null}')

const bagOfBody = (): Buffer => bytesOf(BODY)

const content: Add = (to) => {
  if (row.isNull(BODY)) throw new Error('A stored message without its body')
  addCodes(OF_HASH, to)
  addBase64(BODY_HASH, to)
  addCodes(OF_BODY, to)
  addBase64(BODY, to)
  addCodes(OF_DECODED, to)
  addDecoded(row.source, row.at(BODY_HASH), bagOfBody, to)
  to.byte(CLOSE_OBJECT)
}

const initState: Add = (to) => {
  if (row.isNull(INIT_HASH) || row.isNull(INIT)) {
    addNull(to)
    return
  }
  addCodes(OF_HASH, to)
  addBase64(INIT_HASH, to)
  addCodes(OF_BODY, to)
  addBase64(INIT, to)
  addCodes(INIT_END, to)
}

const MEMBERS: readonly Part[] = [
  [firstMember('hash'), orNull('hash', addBase64)],
  [member('source'), account('source')],
  [member('destination'), account('destination')],
  [member('value'), digits('value')],
  [member('value_extra_currencies'), currencies],
  [member('fwd_fee'), digits('fwd_fee')],
  [member('ihr_fee'), digits('ihr_fee')],
  [member('extra_flags'), digits('extra_flags')],
  [member('created_lt'), long('created_lt')],
  [member('created_at'), long('created_at')],
  [member('opcode'), operation],
  [member('ihr_disabled'), flag('ihr_disabled')],
  [member('bounce'), flag('bounce')],
  [member('bounced'), flag('bounced')],
  [member('import_fee'), importFee],
  [member('message_content'), content],
  [member('init_state'), initState],
]

/** Left out where they are null: its normalized hash, and the transactions at its ends. */
const HASHES: readonly (readonly [name: Uint8Array, column: number])[] = [
  [member('hash_norm'), columnOfMessage('hash_norm')],
  [member('in_msg_tx_hash'), columnOfMessage('in_tx_hash')],
  [member('out_msg_tx_hash'), columnOfMessage('out_tx_hash')],
]

/** With the transactions at its ends. */
export function addListedMessage(message: ByteSpan, to: TextBytes): void {
  row.open(message)
  for (const [name, add] of MEMBERS) {
    addCodes(name, to)
    add(to)
  }
  for (const [name, column] of HASHES) {
    if (row.isNull(column)) continue
    addCodes(name, to)
    addBase64(column, to)
  }
  to.byte(CLOSE_OBJECT)
}

const ENDS = [columnOfMessage('source'), columnOfMessage('destination')]

/** Those for its address book. */
export function accountsAtEnds(message: ByteSpan): readonly (ByteSpan | null)[] {
  row.open(message)
  return ENDS.map((column) => (row.isNull(column) ? null : new ByteSpan(row.source, row.at(column), row.end(column))))
}
