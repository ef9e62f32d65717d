// Messages inside bodies: what wallets are ordered to send.

import { type Cell, CellError, openCell, type Slice } from '../cell/index.ts'
import { amountReader, readCurrencies } from './amounts.ts'
import { decodeAddress } from './decodeAddress.ts'
import { COST } from './decodeBudget.ts'
import { restOf, uintText } from './leafReaders.ts'
import { type Decoded, type DecodedRecord, NOTHING, referenced, something, type Within } from './value.ts'

const grams = amountReader('nanograms')

function readInfo(slice: Slice, within: Within): DecodedRecord {
  if (!slice.loadBit())
    return {
      '@type': 'int_msg_info',
      ihr_disabled: slice.loadBit(),
      bounce: slice.loadBit(),
      bounced: slice.loadBit(),
      src: decodeAddress(slice),
      dest: decodeAddress(slice),
      value: readCurrencies(slice, within),
      ihr_fee: grams(slice, within),
      fwd_fee: grams(slice, within),
      created_lt: uintText(slice, 64),
      created_at: uintText(slice, 32),
    }
  if (!slice.loadBit())
    return {
      '@type': 'ext_in_msg_info',
      src: decodeAddress(slice),
      dest: decodeAddress(slice),
      import_fee: grams(slice, within),
    }
  return {
    '@type': 'ext_out_msg_info',
    src: decodeAddress(slice),
    dest: decodeAddress(slice),
    created_lt: uintText(slice, 64),
    created_at: uintText(slice, 32),
  }
}

function readStateInit(slice: Slice, within: Within): DecodedRecord {
  const maybe = (read: () => Decoded): Decoded => (slice.loadBit() ? something(read()) : NOTHING)
  return {
    '@type': 'state_init',
    fixed_prefix_length: maybe(() => uintText(slice, 5)),
    special: maybe(() => ({ '@type': 'tick_tock', tick: slice.loadBit(), tock: slice.loadBit() })),
    code: maybe(() => referenced(within.nested(slice.loadRef()))),
    data: maybe(() => referenced(within.nested(slice.loadRef()))),
    library: maybe(() => referenced(within.nested(slice.loadRef()))),
  }
}

const either = (isApart: boolean, value: Decoded): DecodedRecord => ({
  '@type': isApart ? 'second_from_either' : 'first_from_either',
  value,
})

/** `MessageRelaxed Any`. */
export function readMessage(slice: Slice, within: Within): DecodedRecord {
  within.budget.spend(COST.message)
  const info = readInfo(slice, within)
  let init: DecodedRecord = NOTHING
  if (slice.loadBit()) {
    const isApart = slice.loadBit()
    init = something(either(isApart, readStateInit(isApart ? openCell(slice.loadRef()) : slice, within)))
  }
  const isApart = slice.loadBit()
  const body = either(isApart, within.nested(isApart ? slice.loadRef() : restOf(slice)))
  return { '@type': 'message', info, init, body }
}

const SEND = 0x0ec3c86d
const SET_CODE = 0xad4de08e
const RESERVE = 0x36e6b809
const CHANGE_LIBRARY = 0x26fa1dd4

function readAction(slice: Slice, within: Within): DecodedRecord {
  switch (slice.loadUint(32)) {
    case SEND:
      return {
        '@type': 'action_send_msg',
        mode: uintText(slice, 8),
        out_msg: referenced(readMessage(openCell(slice.loadRef()), within)),
      }
    case SET_CODE:
      return { '@type': 'action_set_code', new_code: referenced(within.nested(slice.loadRef())) }
    case RESERVE:
      return { '@type': 'action_reserve_currency', mode: uintText(slice, 8), currency: readCurrencies(slice, within) }
    case CHANGE_LIBRARY: {
      const mode = uintText(slice, 7)
      const library = slice.loadBit()
        ? { '@type': 'libref_ref', library: referenced(within.nested(slice.loadRef())) }
        : { '@type': 'libref_hash', lib_hash: Buffer.from(slice.loadBytes(32)).toString('hex').toUpperCase() }
      return { '@type': 'action_change_library', mode, libref: library }
    }
    default:
      throw new CellError('value', 'no action')
  }
}

/** A list of actions holds at most so many. */
const MOST_ACTIONS = 255

/** `OutList`, first action first. */
export function readOutList(slice: Slice, within: Within): readonly DecodedRecord[] {
  const actions: DecodedRecord[] = []
  let at = slice
  while (!at.isEmpty) {
    if (actions.length === MOST_ACTIONS) throw new CellError('value', 'a list of actions that does not end')
    within.budget.spend(COST.element)
    const earlier: Cell = at.loadRef()
    actions.push(readAction(at, within))
    at = openCell(earlier)
  }
  return actions.reverse()
}

/** `(mode:uint8 ^Message)*` to the end of the cell, as older wallets have it. */
export function readSends(slice: Slice, within: Within): readonly DecodedRecord[] {
  const sends: DecodedRecord[] = []
  while (!slice.isEmpty)
    sends.push({ mode: uintText(slice, 8), message: referenced(readMessage(openCell(slice.loadRef()), within)) })
  return sends
}
