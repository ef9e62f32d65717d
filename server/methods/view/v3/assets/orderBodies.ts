// Bodies of an order's messages, by their first 32 bits: amounts as digits, payloads as bags of cells.

import { inTon } from '../../../../../shared/inTon.ts'
import { toDigits } from '../../../../../shared/primitives.ts'
import {
  everyday,
  jettons,
  type Layout,
  type LineFields,
  multisig,
  nft,
  nominators,
  stonfi,
  vesting,
} from '../../../../bodies/index.ts'
import { type Cell, CellError, openCell, orNull, type Slice, writeBocText } from '../../../../cell/index.ts'
import { loadRelaxedMessage } from '../../../../tlb/index.ts'
import { commentIn, type ParsedBody, plainTextIn, rawIn, urlIn } from './orderParts.ts'

type Read = (slice: Slice) => Readonly<Record<string, unknown>>

/** A body by its fields. */
function shown<L extends string, Last>(
  layout: Layout<L, Last>,
  show: (fields: LineFields<L, Last, string | null>) => Readonly<Record<string, unknown>>,
): (slice: Slice) => Readonly<Record<string, unknown>> {
  const read = layout.reader(rawIn)
  return (slice) => show(read(slice))
}

// A JSON number in this answer, as clients have it.
const query = (queryId: bigint): { readonly query_id: number } => ({ query_id: Number(queryId) })

const TEXT = 'TextComment'
const COMMENT_TYPES: ReadonlyMap<number, string> = new Map([
  [everyday.comment.opcode, TEXT],
  [everyday.encryptedComment.opcode, 'EncryptedTextComment'],
])

const bagOrNull = (cell: Cell | null): string | null => cell && writeBocText(cell)

const readSwap = stonfi.swapPayload.reader(rawIn, 'tokenWallet', 'minOut', 'toAddress')

function stonfiSwap(slice: Slice) {
  const { tokenWallet, minOut, toAddress } = readSwap(slice)
  // As of TON, whatever decimals the jetton has.
  return { jetton_wallet: tokenWallet, min_amount: inTon(minOut), user_address: toAddress }
}

/** The forwarded part of a jetton transfer. */
function payloadFields(payload: Cell | null) {
  const begins = { forward_payload: bagOrNull(payload), comment: '', encrypted_comment: false, stonfi_swap_body: null }
  if (payload === null || payload.bits === 0) return { ...begins, payload_sum_type: '' }
  if (payload.isExotic || payload.bits < 32) return { ...begins, payload_sum_type: 'Unknown' }
  const slice = openCell(payload)
  const operation = slice.loadUint(32)
  if (operation === stonfi.swapPayload.opcode)
    return { ...begins, stonfi_swap_body: orNull(() => stonfiSwap(slice)), payload_sum_type: 'StonfiSwap' }
  const type = COMMENT_TYPES.get(operation)
  if (type === undefined) return { ...begins, payload_sum_type: 'Unknown' }
  const comment = commentIn(payload)?.comment ?? ''
  return { ...begins, comment, encrypted_comment: type !== TEXT, payload_sum_type: type }
}

const jettonTransfer = shown(jettons.transfer, (fields) => ({
  ...query(fields.queryId),
  amount: toDigits(fields.amount),
  destination: fields.destination,
  response: fields.responseDestination,
  custom_payload: bagOrNull(fields.customPayload),
  forward_amount: toDigits(fields.forwardTonAmount),
  ...payloadFields(fields.forwardPayload?.cell ?? null),
}))

const jettonBurn = shown(jettons.burn, ({ queryId, amount, responseDestination }) => ({
  ...query(queryId),
  amount: toDigits(amount),
  response_destination: responseDestination,
}))

const readMinted = jettons.internalTransfer.reader(rawIn, 'queryId', 'amount')

/** The master's message to the new wallet, without which nothing is minted. */
function mintedIn(message: Cell | null) {
  if (message === null) throw new CellError('value', 'no message of the master')
  const { queryId, amount } = readMinted(openCell(message).skip(32))
  return { master_msg_query_id: Number(queryId), master_msg_jetton_amount: toDigits(amount) }
}

const jettonMint = (opcode: number): Read =>
  shown(jettons.mint, ({ queryId, toAddress, tonAmount, masterMsg }) => ({
    opcode,
    ...query(queryId),
    to_address: toAddress,
    ton_amount: toDigits(tonAmount),
    ...mintedIn(masterMsg),
  }))

const nftTransfer = shown(nft.transfer, (fields) => ({
  ...query(fields.queryId),
  new_owner: fields.newOwner,
  response_destination: fields.responseDestination,
  custom_payload: bagOrNull(fields.customPayload),
  forward_amount: toDigits(fields.forwardAmount),
  forward_payload: bagOrNull(fields.forwardPayload?.cell ?? null),
}))

const setStatus = shown(jettons.setStatus, ({ queryId, status }) => ({ ...query(queryId), new_status: status }))

/** What a jetton's admin may order another owner's wallet to do. */
const CALLED: ReadonlyMap<number, string> = new Map([
  [jettons.transfer.opcode, 'JettonTransfer'],
  [jettons.burn.opcode, 'JettonBurn'],
  [jettons.setStatus.opcode, 'JettonSetStatus'],
])

const callTo = shown(jettons.callTo, ({ queryId, toAddress, tonAmount, masterMsg }) => {
  const slice = openCell(masterMsg)
  return {
    ...query(queryId),
    to_address: toAddress,
    ton_amount: toDigits(tonAmount),
    action_type: slice.remainingBits < 32 ? '' : (CALLED.get(slice.loadUint(32)) ?? 'Unknown'),
    action_data: writeBocText(masterMsg),
  }
})

const changeAdmin = shown(jettons.changeAdmin, ({ queryId, newAdminAddress }) => ({
  ...query(queryId),
  new_admin_address: newAdminAddress,
}))

const changeContent = shown(jettons.changeMetadata, ({ queryId, metadata }) => ({
  ...query(queryId),
  new_metadata_url: urlIn(metadata),
}))

const vestingTransfer = shown(vesting.sendMessage, ({ queryId, sendMode, message }) => {
  const { info, body } = loadRelaxedMessage(openCell(message))
  const sent = info.kind === 'internal' ? info : null
  return {
    destination: sent === null ? null : rawIn(sent.dest),
    value: sent === null ? null : toDigits(sent.value.grams),
    message_body: writeBocText(body),
    comment: plainTextIn(body),
    ...query(queryId),
    send_mode: sendMode,
  }
})

const singleWithdraw = shown(nominators.singleWithdraw, ({ queryId, coins }) => ({
  ...query(queryId),
  coins: toDigits(coins),
}))

const changeValidator = shown(nominators.singleChangeValidator, ({ queryId, validatorAddress }) => ({
  ...query(queryId),
  validator_address: validatorAddress,
}))

const queryOnly = shown(jettons.claimAdmin, ({ queryId }) => query(queryId))

const KNOWN: ReadonlyMap<number, readonly [type: string, read: Read]> = new Map<number, readonly [string, Read]>([
  [jettons.transfer.opcode, ['jetton_transfer', jettonTransfer]],
  [jettons.burn.opcode, ['jetton_burn', jettonBurn]],
  [jettons.setStatus.opcode, ['jetton_set_status', setStatus]],
  [jettons.minterMint.opcode, ['jetton_mint', jettonMint(jettons.minterMint.opcode)]],
  [jettons.mint.opcode, ['jetton_mint', jettonMint(jettons.mint.opcode)]],
  [nft.transfer.opcode, ['nft_transfer', nftTransfer]],
  [jettons.minterTopUp.opcode, ['jetton_top_up', queryOnly]],
  [jettons.changeAdmin.opcode, ['jetton_change_admin', changeAdmin]],
  [jettons.claimAdmin.opcode, ['jetton_claim_admin', queryOnly]],
  [jettons.changeMetadata.opcode, ['jetton_change_content', changeContent]],
  [jettons.callTo.opcode, ['jetton_call_to', callTo]],
  [nominators.singleWithdraw.opcode, ['single_nominator_withdraw', singleWithdraw]],
  [nominators.singleChangeValidator.opcode, ['single_nominator_change_validator', changeValidator]],
  // The public preview takes an execution of another multisig for one as well.
  [multisig.execute.opcode, ['vesting_internal_transfer', vestingTransfer]],
  [vesting.sendMessage.opcode, ['vesting_internal_transfer', vestingTransfer]],
])

/** Bodies without a known opcode are `unknown`. */
export function parseBody(body: Cell): ParsedBody {
  const said = commentIn(body)
  if (said !== null) return { type: 'ton_transfer', body: { ...said } }
  const slice = openCell(body)
  const opcode = slice.remainingBits < 32 ? 0 : slice.loadUint(32)
  const entry = KNOWN.get(opcode)
  const read = entry ? orNull(() => entry[1](slice)) : null
  if (entry && read !== null) return { type: entry[0], body: read }
  return { type: 'unknown', body: { opcode, data: writeBocText(body) } }
}
