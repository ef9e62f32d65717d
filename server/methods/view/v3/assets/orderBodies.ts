// Bodies of an order's messages, by their first 32 bits: amounts as digits, payloads as bags of cells.

import { beginCell, type Cell, openCell, type Slice } from '../../../../cell/index.ts'
import { loadRelaxedMessage, orNull } from '../../../../tlb/index.ts'
import { toDigits } from '../../digits.ts'
import { bagText, commentIn, type ParsedBody, rawIn, urlIn } from './orderParts.ts'

type Read = (slice: Slice, operation: number) => Readonly<Record<string, unknown>>

// A JSON number in this answer, as clients have it.
const queryId = (slice: Slice): { readonly query_id: number } => ({ query_id: Number(slice.loadUintBig(64)) })
const coins = (slice: Slice) => toDigits(slice.loadCoins())
const toOpcode = (operation: number): string => `0x${operation.toString(16).padStart(8, '0')}`

const bagOrNull = (cell: Cell | null): string | null => cell && bagText(cell)

/** `Either Cell ^Cell`. */
const eitherCell = (slice: Slice): Cell =>
  slice.loadBit() ? slice.loadRef() : beginCell().storeSlice(slice.loadRest()).end()

const STONFI_SWAP = 0x25938561

const stonfiSwap = (slice: Slice) => ({
  token_wallet: rawIn(slice),
  min_out: coins(slice),
  to_address: rawIn(slice),
  referral_address: slice.loadBit() ? rawIn(slice) : null,
})

/** The forwarded part of a jetton transfer. */
function payloadFields(payload: Cell) {
  const nothing = { comment: null, encrypted_comment: false, stonfi_swap_body: null }
  if (payload.bits === 0 && payload.refs.length === 0)
    return { forward_payload: null, payload_sum_type: '', ...nothing }
  const begins = { forward_payload: bagText(payload), ...nothing }
  const said = commentIn(payload)
  if (said !== null && said.comment !== null) {
    const { comment, encrypted } = said
    const type = encrypted ? 'EncryptedTextComment' : 'TextComment'
    return { ...begins, comment, encrypted_comment: encrypted, payload_sum_type: type }
  }
  const slice = openCell(payload)
  const isSwap = payload.bits >= 32 && slice.loadUint(32) === STONFI_SWAP
  const swap = isSwap ? orNull(() => stonfiSwap(slice)) : null
  return { ...begins, stonfi_swap_body: swap, payload_sum_type: swap === null ? 'Unknown' : 'StonfiSwap' }
}

const jettonTransfer: Read = (slice) => ({
  ...queryId(slice),
  amount: coins(slice),
  destination: rawIn(slice),
  response: rawIn(slice),
  custom_payload: bagOrNull(slice.loadMaybeRef()),
  forward_amount: coins(slice),
  ...payloadFields(eitherCell(slice)),
})

const jettonBurn: Read = (slice) => ({
  ...queryId(slice),
  amount: coins(slice),
  response_destination: rawIn(slice),
})

/** The master's message to the new wallet. */
const mintedIn = (slice: Slice) => ({
  master_msg_query_id: Number(slice.skip(32).loadUintBig(64)),
  master_msg_jetton_amount: coins(slice),
})

const jettonMint: Read = (slice, operation) => ({
  opcode: toOpcode(operation),
  ...queryId(slice),
  to_address: rawIn(slice),
  ton_amount: coins(slice),
  ...((slice.remainingRefs > 0 ? orNull(() => mintedIn(openCell(slice.loadRef()))) : null) ?? {
    master_msg_query_id: null,
    master_msg_jetton_amount: null,
  }),
})

const nftTransfer: Read = (slice) => ({
  ...queryId(slice),
  new_owner: rawIn(slice),
  response_destination: rawIn(slice),
  custom_payload: bagOrNull(slice.loadMaybeRef()),
  forward_amount: coins(slice),
  forward_payload: bagText(eitherCell(slice)),
})

const setStatus: Read = (slice) => ({ ...queryId(slice), new_status: slice.loadUint(4) })

const callTo: Read = (slice) => {
  const begins = { ...queryId(slice), to_address: rawIn(slice), ton_amount: coins(slice) }
  const { type, body } = parseBody(slice.loadRef(), CALLED)
  return { action_type: type, action_data: body, ...begins }
}

const vestingTransfer: Read = (slice) => {
  const begins = { ...queryId(slice), send_mode: slice.loadUint(8) }
  const { info, body } = loadRelaxedMessage(openCell(slice.loadRef()))
  const sent = info.kind === 'internal' ? info : null
  return {
    destination: sent === null ? null : rawIn(sent.dest),
    value: sent === null ? null : toDigits(sent.value.grams),
    message_body: bagText(body),
    comment: commentIn(body)?.comment ?? null,
    ...begins,
  }
}

type Table = ReadonlyMap<number, readonly [type: string, read: Read]>

/** What a jetton's admin may order another owner's wallet to do. */
const CALLED: Table = new Map([
  [0x0f8a7ea5, ['jetton_transfer', jettonTransfer]],
  [0x595f07bc, ['jetton_burn', jettonBurn]],
  [0xeed236d3, ['jetton_set_status', setStatus]],
])

const KNOWN: Table = new Map<number, readonly [string, Read]>([
  ...CALLED,
  [0x00000015, ['jetton_mint', jettonMint]],
  [0x642b7d07, ['jetton_mint', jettonMint]],
  [0x5fcc3d14, ['nft_transfer', nftTransfer]],
  [0x00009fd3, ['jetton_top_up', queryId]],
  [0x6501f354, ['jetton_change_admin', (slice) => ({ ...queryId(slice), new_admin_address: rawIn(slice) })]],
  [0xfb88e119, ['jetton_claim_admin', queryId]],
  [0xcb862902, ['jetton_change_content', (slice) => ({ ...queryId(slice), new_metadata_url: urlIn(slice) })]],
  [0x235caf52, ['jetton_call_to', callTo]],
  [0x00001000, ['single_nominator_withdraw', (slice) => ({ ...queryId(slice), coins: coins(slice) })]],
  [
    0x00001001,
    ['single_nominator_change_validator', (slice) => ({ ...queryId(slice), validator_address: rawIn(slice) })],
  ],
  [0x75097f5d, ['vesting_internal_transfer', vestingTransfer]],
  [0xa7733acd, ['vesting_internal_transfer', vestingTransfer]],
])

/** Bodies without a known opcode are `unknown`. */
export function parseBody(body: Cell, table: Table = KNOWN): ParsedBody {
  const said = table === KNOWN ? commentIn(body) : null
  if (said !== null) return { type: 'ton_transfer', body: { ...said } }
  const slice = openCell(body)
  const operation = slice.remainingBits < 32 ? null : slice.loadUint(32)
  const entry = operation === null ? undefined : table.get(operation)
  const read = entry && operation !== null ? orNull(() => entry[1](slice, operation)) : null
  if (entry && read !== null) return { type: entry[0], body: read }
  const opcode = operation === null ? null : toOpcode(operation)
  return { type: 'unknown', body: { opcode, data: bagText(body) } }
}
