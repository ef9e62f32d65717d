// What tokens did, as v3 writes it.

import { toBase64 } from '../../../../../shared/base64.ts'
import { toDigits } from '../../../../../shared/primitives.ts'
import type { Result } from '../../../../../shared/registry.ts'
import type { jettonsV3 } from '../../../../../shared/v3/assets/jettons.ts'
import type { nftsV3 } from '../../../../../shared/v3/assets/nfts.ts'
import type { JettonBurnRow, JettonTransferRow, NftTransferRow } from '../../../../store/index.ts'
import { rawOfKey } from '../../../keyOfAccount.ts'
import { decodePayload } from '../decoded.ts'
import { base64OrNull, digitsOrNull, rawOrNull } from './fields.ts'

type JettonTransfer = Result<(typeof jettonsV3)['v3.jetton.transfers']>['jetton_transfers'][number]
type JettonBurn = Result<(typeof jettonsV3)['v3.jetton.burns']>['jetton_burns'][number]
type NftTransfer = Result<(typeof nftsV3)['v3.nft.transfers']>['nft_transfers'][number]

const eventFields = (row: JettonBurnRow | JettonTransferRow | NftTransferRow) => ({
  query_id: toDigits(row.queryId),
  transaction_hash: toBase64(row.txHash),
  transaction_lt: toDigits(row.txLt),
  transaction_now: row.txNow,
  transaction_aborted: row.aborted,
  response_destination: rawOrNull(row.responseDestination),
  custom_payload: base64OrNull(row.customPayload),
  decoded_custom_payload: decodePayload(row.customPayload),
  trace_id: toBase64(row.traceId),
})

const forwardFields = ({ forwardPayload }: JettonTransferRow | NftTransferRow) => ({
  forward_payload: base64OrNull(forwardPayload),
  decoded_forward_payload: decodePayload(forwardPayload),
})

export const toJettonTransfer = (row: JettonTransferRow): JettonTransfer => ({
  source: rawOfKey(row.source),
  destination: rawOfKey(row.destination),
  amount: toDigits(row.amount),
  source_wallet: rawOfKey(row.sourceWallet),
  jetton_master: rawOfKey(row.jetton),
  forward_ton_amount: digitsOrNull(row.forwardTonAmount),
  ...eventFields(row),
  ...forwardFields(row),
})

export const toJettonBurn = (row: JettonBurnRow): JettonBurn => ({
  owner: rawOfKey(row.owner),
  jetton_wallet: rawOfKey(row.jettonWallet),
  jetton_master: rawOfKey(row.jetton),
  amount: toDigits(row.amount),
  ...eventFields(row),
})

export const toNftTransfer = (row: NftTransferRow): NftTransfer => ({
  nft_address: rawOfKey(row.nft),
  nft_collection: rawOrNull(row.collection),
  old_owner: rawOfKey(row.oldOwner),
  new_owner: rawOfKey(row.newOwner),
  forward_amount: digitsOrNull(row.forwardAmount),
  ...eventFields(row),
  ...forwardFields(row),
})
