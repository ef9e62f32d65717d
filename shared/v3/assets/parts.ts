// What lists of tokens share: fields of every contract and of every event, and filters known by older names.

import { z } from 'zod'
import { exampleValues } from '../../exampleValues.ts'
import { listedWords } from '../../listedWords.ts'
import { AccountFilter, timeBounds } from '../filters.ts'
import { Base64Hash, Digits, RawAddress } from '../values.ts'

/** State of a contract after its last transaction. */
export const contractFields = {
  last_transaction_lt: Digits.describe('Logical time of the newest transaction.'),
  code_hash: Base64Hash.describe('Hash of the code cell.'),
  data_hash: Base64Hash.describe('Hash of the data cell.'),
}

export const TokenAttributes = z
  .record(z.string(), z.string())
  .meta({ id: 'TokenAttributes', description: 'Attributes of a token as they are on chain (TEP-64).' })

const Payload = z.string().nullable().meta({ description: 'Base64 of a bag of cells.' })
const DecodedPayload = z.record(z.string(), z.unknown()).nullable()

/** Of what a token's contract did. */
export const eventFields = {
  query_id: Digits.describe('Query id of the request.'),
  transaction_hash: Base64Hash.describe('Transaction that handled the request.'),
  transaction_lt: Digits.describe('Logical time of that transaction.'),
  transaction_now: z.int().describe('Unix seconds of that transaction.'),
  transaction_aborted: z.boolean().describe('True when that transaction failed.'),
  response_destination: RawAddress.nullable().describe('Receiver of the excess; null for none.'),
  custom_payload: Payload.describe('Payload for the contract, base64 BoC; null for none.'),
  decoded_custom_payload: DecodedPayload.describe('Decoded payload; null when no scheme fits.'),
  trace_id: Base64Hash.nullable().describe('First transaction of the trace; null while it is incomplete.'),
}

export const forwardFields = {
  forward_payload: Payload.describe('Payload for the recipient, base64 BoC; null for none.'),
  decoded_forward_payload: DecodedPayload.describe('Decoded payload; null when no scheme fits.'),
}

const WORD_LENGTH = 128

/** Legacy alias of `owner_address`; ignored next to it, or when it does not parse. */
const OldOwner = z
  .string()
  .max(WORD_LENGTH)
  .transform((text) => AccountFilter.safeParse(text).data ?? null)
  .meta({ description: 'Older name of `owner_address`.' })

export const eventFilters = { ...timeBounds, address: OldOwner.optional() }

/** Any other text means `out`. */
export const TransferDirection = listedWords(
  z
    .string()
    .max(WORD_LENGTH)
    .transform((text): 'in' | 'out' | null => (text === 'both' || text === '' ? null : text === 'in' ? 'in' : 'out')),
  ['in', 'out', 'both'],
  { description: 'With `owner_address`: `in` for received, `out` for sent, else both.' },
)

/** For examples. */
export const tokenExamples = {
  OWNER: exampleValues.OWNER,
  OTHER: exampleValues.OTHER,
  JETTON: exampleValues.JETTON,
  JETTON_WALLET: exampleValues.JETTON_WALLET,
  COLLECTION: '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF',
  ITEM: '0:43F2B7F8FF2EAF5E1B5A4F2B6C6E1F6D8AE4F9C6F1D21C5B7D8E9F0A1B2C3D4E',
  SALE: '0:5AE3C05D2F2B0D9D6C5DAE0B2AC2DB2C8D7F1E3A4B5C6D7E8F9A0B1C2D3E4F5A',
} as const

export const contractExample = {
  last_transaction_lt: '60056271000008',
  code_hash: 'jSjqQht36AX+pSrPM1KWSZ8Drsjp/SHdtfJWSqZcSN4=',
  data_hash: exampleValues.DATA_HASH,
} as const

export const eventExample = {
  query_id: '7253338335086549327',
  transaction_hash: '9hsNgT8wcEArHHQQ3HlbCGMWsTX4xKGYQSmkyVZd4Lo=',
  transaction_lt: '60056271000003',
  transaction_now: 1754158183,
  transaction_aborted: false,
  response_destination: tokenExamples.OWNER,
  custom_payload: null,
  decoded_custom_payload: null,
  trace_id: exampleValues.TRACE,
} as const

export const commentExample = {
  forward_payload: 'te6cckEBAQEACAAADAAAAAAxMb6Vqnw=',
  decoded_forward_payload: { type: 'text_comment', '@type': 'text_comment', comment: '11' },
}
