// Where a page of actions ended: a msgpack array of six, as other services of this interface write it.

import { ApiError } from '../../../../shared/errors.ts'
import type { PageKey } from '../../../store/index.ts'

/** What a cursor is good for: lists in this order. */
export interface ActionOrder {
  readonly isByTime: boolean
  readonly isDescending: boolean
}

const ARRAY_OF_6 = 0x96
const FALSE = 0xc2
const TRUE = 0xc3
const INT64 = 0xd3
const BYTES = 0xc4
const HASH_LENGTH = 32

const bool = (value: boolean): Buffer => Buffer.of(value ? TRUE : FALSE)

function int(value: bigint): Buffer {
  const bytes = Buffer.alloc(9)
  bytes[0] = INT64
  bytes.writeBigInt64BE(value, 1)
  return bytes
}

const hash = (value: Uint8Array): Buffer => Buffer.concat([Buffer.of(BYTES, HASH_LENGTH), value])

export function writeCursor({ isByTime, isDescending }: ActionOrder, key: PageKey | null): string | null {
  if (key === null) return null
  const [traceEnd, traceId, end, actionId] = key
  if (typeof traceEnd !== 'bigint' || typeof end !== 'bigint') throw new TypeError('a key of another order')
  if (!(traceId instanceof Uint8Array && actionId instanceof Uint8Array)) throw new TypeError('a key of another order')
  const parts = [bool(isByTime), bool(isDescending), int(traceEnd), hash(traceId), int(end), hash(actionId)]
  return Buffer.concat([Buffer.of(ARRAY_OF_6), ...parts]).toString('base64url')
}

const HEAD = 3
const TRACE_END = HEAD + 1
const TRACE_ID = TRACE_END + 8 + 2
const END = TRACE_ID + HASH_LENGTH + 1
const ACTION_ID = END + 8 + 2

/** Throws ApiError for anything but a cursor of a list in this order. */
export function readCursor(order: ActionOrder, cursor: string): PageKey {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length !== ACTION_ID + HASH_LENGTH) throw wrongCursor()
  const key = [
    bytes.readBigInt64BE(TRACE_END),
    bytes.subarray(TRACE_ID, TRACE_ID + HASH_LENGTH),
    bytes.readBigInt64BE(END),
    bytes.subarray(ACTION_ID),
  ]
  // Written again it is the same, or it was something else.
  if (writeCursor(order, key) !== cursor) throw wrongCursor()
  return key
}

const wrongCursor = (): ApiError => new ApiError('invalidParams', 'invalid cursor', { param: 'cursor' })
