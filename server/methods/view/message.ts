// Messages as they go over the wire, in both families of v2.

import type { z } from 'zod'
import { toDigits } from '../../../shared/primitives.ts'
import type { ExtMessage, MessageStd } from '../../../shared/v2/transaction.ts'
import { everyday } from '../../bodies/index.ts'
import { type Cell, openCell, writeBocText } from '../../cell/index.ts'
import { type CurrencyCollection, loadMessage, type Message, storeStateInit, toCell } from '../../tlb/index.ts'
import { commentBytes } from './commentBytes.ts'
import { endText, hashText } from './texts.ts'

type Data = z.output<typeof ExtMessage>['msg_data']

const TEXT = 0
const ENCRYPTED = everyday.encryptedComment.opcode
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })
/** Nodes accept two in a message. */
const MOST_CURRENCIES = 256

interface Comment {
  readonly encrypted: boolean
  readonly bytes: Buffer
}

function commentOf(body: Cell): Comment | null {
  if (body.isExotic || body.bits < 32) return null
  const slice = openCell(body)
  const tag = slice.loadUint(32)
  if (tag !== TEXT && tag !== ENCRYPTED) return null
  const bytes = commentBytes(slice)
  return bytes === null ? null : { encrypted: tag === ENCRYPTED, bytes }
}

/** A bag of cells in base64. */
export type BagText = (cell: Cell) => string

function dataOf({ body, init }: Message, comment: Comment | null, bagText: BagText): Data {
  if (comment === null)
    return {
      '@type': 'msg.dataRaw',
      body: bagText(body),
      init_state: init === null ? '' : writeBocText(toCell(init, storeStateInit)),
    }
  return {
    '@type': comment.encrypted ? 'msg.dataEncryptedText' : 'msg.dataText',
    text: comment.bytes.toString('base64'),
  }
}

/** Null for encrypted text. */
function textOf({ body }: Message, comment: Comment | null): string | null {
  if (comment?.encrypted === true) return null
  if (comment !== null) return UTF8.decode(comment.bytes)
  return body.bits === 0 ? '' : `${Buffer.from(body.data()).toString('base64')}\n`
}

export const toAddress = (text: string) => ({ '@type': 'accountAddress', account_address: text }) as const

function currencies({ other }: CurrencyCollection) {
  const list: z.output<typeof MessageStd>['extra_currencies'] = []
  for (const [id, amount] of other) {
    if (list.length === MOST_CURRENCIES) break
    list.push({ '@type': 'extraCurrency', id: id | 0, amount: toDigits(amount) })
  }
  return list
}

function amountsOf({ info }: Message) {
  return {
    value: toDigits(info.kind === 'internal' ? info.value.grams : 0n),
    extra_currencies: info.kind === 'internal' ? currencies(info.value) : [],
    fwd_fee: toDigits(info.kind === 'internal' ? info.fwdFee : 0n),
    ihr_fee: toDigits(0n),
    created_lt: toDigits(info.kind === 'externalIn' ? 0n : info.createdLt),
  }
}

/** With ends as texts and, where there is one, the comment. */
export function toMessage(
  cell: Cell,
  message = loadMessage(openCell(cell)),
  bagText: BagText = writeBocText,
): z.output<typeof ExtMessage> {
  const comment = commentOf(message.body)
  const text = textOf(message, comment)
  return {
    '@type': 'ext.message',
    hash: hashText(cell),
    source: endText(message.info.src),
    destination: endText(message.info.dest),
    body_hash: hashText(message.body),
    msg_data: dataOf(message, comment, bagText),
    ...amountsOf(message),
    ...(text === null ? {} : { message: text }),
  }
}

/** With ends as objects. */
export function toMessageStd(
  cell: Cell,
  message = loadMessage(openCell(cell)),
  bagText: BagText = writeBocText,
): z.output<typeof MessageStd> {
  return {
    '@type': 'raw.message',
    hash: hashText(cell),
    source: toAddress(endText(message.info.src)),
    destination: toAddress(endText(message.info.dest)),
    body_hash: hashText(message.body),
    msg_data: dataOf(message, commentOf(message.body), bagText),
    ...amountsOf(message),
  }
}
