// Parts of an order: addresses, links, comments.

import { everyday } from '../../../../bodies/index.ts'
import { type Cell, loadAddress, type MessageAddress, openCell, orNull, Slice } from '../../../../cell/index.ts'
import { addressedAccount, lenientText, snakeBytes, utf8Text } from '../../../../tlb/index.ts'
import { keyOfAccount, rawOfKey } from '../../../keyOfAccount.ts'

export interface ParsedBody {
  readonly type: string
  readonly body: Readonly<Record<string, unknown>>
}

/** An address, or the next one of a cell; null for none, and for those no account has. */
export function rawIn(from: Slice | MessageAddress): string | null {
  const account = addressedAccount(from instanceof Slice ? loadAddress(from) : from)
  return account && rawOfKey(keyOfAccount({ workchain: account.workchain, hash: account.id }))
}

/** Maximum length of a text. */
const MOST_BYTES = 1 << 16

/** The text to the end of a cell and of the cells it continues in; null for other data. */
export function urlIn(slice: Slice): string | null {
  const bytes = orNull(() => snakeBytes(slice, MOST_BYTES))
  return bytes && utf8Text(bytes)
}

const PLAIN = everyday.comment.opcode
const ENCRYPTED = everyday.encryptedComment.opcode

const textOf = (bytes: Buffer | null): string => (bytes === null ? '' : lenientText(bytes))

const bytesIn = (slice: Slice): Buffer | null => orNull(() => snakeBytes(slice, MOST_BYTES))

export interface CommentText {
  /** Empty for none. */
  readonly comment: string
  readonly encrypted: boolean
}

/** The comment of a TON transfer; null for a body of another kind. Fewer than 32 bits are text without an operation. */
export function commentIn(body: Cell): CommentText | null {
  if (body.isExotic) return null
  const slice = openCell(body)
  if (body.bits < 32) return { comment: body.bits < 8 ? '' : textOf(bytesIn(slice)), encrypted: false }
  const operation = slice.loadUint(32)
  if (operation === PLAIN) return { comment: textOf(bytesIn(slice)), encrypted: false }
  const bytes = operation === ENCRYPTED ? bytesIn(slice) : null
  return bytes && { comment: bytes.toString('base64'), encrypted: true }
}

/** The text behind the operation of a message; empty for one that is no comment, or an encrypted one. */
export function plainTextIn(body: Cell): string {
  const said = body.bits < 32 ? null : commentIn(body)
  return said === null || said.encrypted ? '' : said.comment
}
