// Bytes as text where histories are written: thousands of times for a page, so by Buffer and not by the portable encoders.

import { friendlyBytes } from '../../../shared/address.ts'
import type { Cell } from '../../cell/index.ts'

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** Standard base64. */
export const bytesText = (bytes: Uint8Array): string => viewOf(bytes).toString('base64')

/** Hash of a cell in base64. */
export const hashText = (cell: Cell): string => Buffer.from(cell.hash(), 'latin1').toString('base64')

/** An account in its friendly form, bounceable, for any network. */
export const bounceableText = (workchain: number, hash: Uint8Array): string =>
  viewOf(friendlyBytes({ workchain, hash, bounceable: true, testOnly: false })).toString('base64url')
