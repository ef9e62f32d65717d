// Bodies of messages to wallets: the signature comes first, nothing says whose form it is, so each is tried in turn and
// fits only when nothing is left over.

import { type Cell, CellError, openCell, type Slice } from '../cell/index.ts'
import { amountReader } from './amounts.ts'
import { decodeAddress } from './decodeAddress.ts'
import { readMessage, readOutList, readSends } from './decodeMessages.ts'
import { readDictionary } from './dictionaries.ts'
import { bitsText, uintText } from './leafReaders.ts'
import {
  type Decoded,
  type DecodedRecord,
  type DecodeRead,
  NOTHING,
  referenced,
  something,
  type Within,
} from './value.ts'

const coins = amountReader('nanocoins')

const SIGNATURE_BITS = 512

const signature = (slice: Slice): { readonly signature: string } => ({
  signature: bitsText(slice.loadBits(SIGNATURE_BITS)),
})

/** The signed part, where it is the only content of a referenced cell. */
function apart(slice: Slice): Slice {
  const inner = openCell(slice.loadRef())
  slice.finish()
  return inner
}

type Body = (slice: Slice, within: Within) => DecodedRecord

/** Ends the part that was read. */
function ended(slice: Slice, record: DecodedRecord): DecodedRecord {
  slice.finish()
  return record
}

function pluginRequest(slice: Slice, within: Within, op: number): DecodedRecord {
  if (op === 1)
    return {
      workchain: String(slice.loadInt(8)),
      balance: coins(slice, within),
      state_init: referenced(within.nested(slice.loadRef())),
      body: referenced(within.nested(slice.loadRef())),
    }
  return {
    workchain: String(slice.loadInt(8)),
    address: bitsText(slice.loadBits(256)),
    amount: coins(slice, within),
    query_id: uintText(slice, 64),
  }
}

const SIGNED: readonly (readonly [string, Body])[] = [
  [
    'preprocessed_wallet_signed_v2',
    (slice, within) => {
      const signed = signature(slice)
      const inner = apart(slice)
      const head = { valid_until: uintText(inner, 64), msg_seqno: uintText(inner, 16) }
      const actions = readOutList(openCell(inner.loadRef()), within)
      return ended(inner, { ...signed, ...head, actions })
    },
  ],
  [
    'highload_wallet_signed_v3',
    (slice, within) => {
      const signed = signature(slice)
      const inner = apart(slice)
      const subwallet = uintText(inner, 32)
      const message = referenced(readMessage(openCell(inner.loadRef()), within))
      return ended(inner, {
        ...signed,
        subwallet_id: subwallet,
        message_to_send: message,
        send_mode: uintText(inner, 8),
        shift: uintText(inner, 13),
        bit_number: uintText(inner, 10),
        created_at: uintText(inner, 64),
        timeout: uintText(inner, 22),
      })
    },
  ],
  // Version 1 has the same form, with a time and a number in the place of the query id.
  [
    'highload_wallet_signed_v2',
    (slice, within) => {
      const head = { ...signature(slice), subwallet_id: uintText(slice, 32), query_id: uintText(slice, 64) }
      return ended(slice, { ...head, msgs: sendsByNumber(slice.loadMaybeRef(), within) })
    },
  ],
  [
    'wallet_signed_v4',
    (slice, within) => {
      const head = { ...signature(slice), subwallet_id: uintText(slice, 32), valid_until: uintText(slice, 32) }
      const seqno = uintText(slice, 32)
      const op = slice.loadUint(8)
      if (op > 3) throw new CellError('value', 'no operation of this wallet')
      const order = op === 0 ? { actions: readSends(slice, within) } : pluginRequest(slice, within, op)
      return ended(slice, { ...head, msg_seqno: seqno, op: String(op), ...order })
    },
  ],
  [
    'wallet_signed_v3',
    (slice, within) => {
      const head = { ...signature(slice), subwallet_id: uintText(slice, 32), valid_until: uintText(slice, 32) }
      return { ...head, msg_seqno: uintText(slice, 32), actions: readSends(slice, within) }
    },
  ],
  [
    'wallet_signed_v1_v2',
    (slice, within) => {
      const head = { ...signature(slice), msg_seqno: uintText(slice, 32), valid_until: uintText(slice, 32) }
      return { ...head, actions: readSends(slice, within) }
    },
  ],
]

const sendsByNumber = (root: Cell | null, within: Within): Decoded =>
  readDictionary(root, within, {
    keyBits: 16,
    read: (slice) => ({
      mode: uintText(slice, 8),
      message: referenced(readMessage(openCell(slice.loadRef()), within)),
    }),
  })

/** The body of a message from outside to a wallet of before version 5; null for any other body. */
export function readSigned(body: Cell, within: Within): DecodedRecord | null {
  // To try each takes fifty times as long.
  if (body.bits < SIGNATURE_BITS) return null
  for (const [name, read] of SIGNED) {
    try {
      return { '@type': name, ...read(openCell(body), within) }
    } catch (error) {
      if (!(error instanceof CellError)) throw error
    }
  }
  return null
}

const EXTENDED: Readonly<Record<number, readonly [string, (slice: Slice) => DecodedRecord]>> = {
  2: ['add_extension', (slice) => ({ addr: decodeAddress(slice) })],
  3: ['delete_extension', (slice) => ({ addr: decodeAddress(slice) })],
  4: ['set_signature_auth_allowed', (slice) => ({ allowed: slice.loadBit() })],
}

const MOST_EXTENDED = 255

/** Settings of a wallet v5, each in the cell behind the one before. */
function readExtended(slice: Slice): readonly Decoded[] {
  const actions: Decoded[] = []
  for (let at = slice; ; at = openCell(at.loadRef())) {
    const known = EXTENDED[at.loadUint(8)]
    if (known === undefined || actions.length === MOST_EXTENDED) throw new CellError('value', 'no setting of a wallet')
    actions.push({ '@type': known[0], ...known[1](at) })
    if (at.remainingRefs === 0) return actions
  }
}

/** Actions of a wallet v5 request: messages in a cell of their own, settings in this one and the following. */
export const readInnerRequest: DecodeRead = (slice, within) => {
  const hasSends = slice.loadBit()
  const sends = hasSends ? something(referenced(readOutList(openCell(slice.loadRef()), within))) : NOTHING
  const hasExtended = slice.loadBit()
  const extended = hasExtended ? something(readExtended(slice)) : NOTHING
  return { out_actions: sends, extended_actions: extended }
}
