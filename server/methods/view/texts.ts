// Bytes as text where histories are written: thousands of times for a page, so by Buffer and not by the portable encoders.

import { friendlyBytes } from '../../../shared/address.ts'
import type { Cell, MessageAddress } from '../../cell/index.ts'

const FRIENDLY = Buffer.alloc(36)

/** Hash of a cell in base64. */
export const hashText = (cell: Cell): string => Buffer.from(cell.hash(), 'latin1').toString('base64')

/** An account in its friendly form, bounceable, for any network. */
export function bounceableText(workchain: number, hash: Uint8Array): string {
  friendlyBytes({ workchain, hash, bounceable: true, testOnly: false }, FRIENDLY)
  return FRIENDLY.toString('base64url')
}

/** The same of an end of a message; empty for what has no such form. */
export const endText = (address: MessageAddress): string =>
  address?.kind === 'std' ? bounceableText(address.workchain, address.hash) : ''
