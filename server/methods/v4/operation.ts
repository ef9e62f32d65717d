// What a message requests, as far as v4 has a name for it.

import { inTon } from '../../../shared/inTon.ts'
import { everyday, jettons } from '../../bodies/index.ts'
import {
  type Cell,
  MAX_DEPTH,
  type MessageAddress,
  openCell,
  orNull,
  readBoc,
  type Slice,
  writeBocText,
} from '../../cell/index.ts'
import { snakeBytes } from '../../tlb/index.ts'
import { endText } from '../view/texts.ts'

export type BodyOnWire =
  | { readonly type: 'comment'; readonly comment: string }
  | { readonly type: 'payload'; readonly cell: string }

/** Comments of cells that share subtrees can be of any length. */
const LONGEST_COMMENT = 65_536

/** A comment, another body with an operation, or null. */
export function bodyOfV4(cell: Cell): BodyOnWire | null {
  if (cell.isExotic || cell.bits < 32) return null
  const slice = openCell(cell)
  if (!everyday.comment.begins(slice)) return { type: 'payload', cell: writeBocText(cell) }
  const bytes = orNull(() => snakeBytes(slice, LONGEST_COMMENT))
  return bytes === null || bytes.length === 0 ? null : { type: 'comment', comment: bytes.toString() }
}

const keep = (address: MessageAddress): MessageAddress => address
const transfer = jettons.transfer.reader(keep, 'amount', 'destination', 'forwardPayload')
const notification = jettons.notify.reader(keep, 'amount', 'sender', 'forwardPayload')

/** Of pools of Whales, by the checksum of their names. */
const POOL_STEPS: ReadonlyMap<number, string> = new Map([
  [0x7bcd1fef, 'deposit'],
  [0xc641e932, 'deposit::ok'],
  [0x74bb3427, 'withdraw::delayed'],
  [0x23d421e1, 'withdraw::ok'],
])
const WITHDRAW = 0xda803efd

interface Found {
  readonly op?: { readonly type: string; readonly options?: Readonly<Record<string, string>> }
  readonly address?: MessageAddress
  readonly amount?: bigint
  readonly forwarded?: Cell | undefined
}

function withdrawal(slice: Slice): Found {
  slice.skip(64)
  slice.loadCoins()
  const stake = slice.loadCoins()
  return { op: stake === 0n ? { type: 'withdraw::all' } : { type: 'withdraw', options: { coins: inTon(stake) } } }
}

function read(body: Cell): Found {
  const slice = openCell(body)
  if (jettons.transfer.begins(slice)) {
    const { amount, destination, forwardPayload } = transfer(slice)
    return { op: { type: 'jetton::transfer' }, address: destination, amount, forwarded: forwardPayload?.cell }
  }
  if (jettons.notify.begins(slice)) {
    const { amount, sender, forwardPayload } = notification(slice)
    const type = sender === null ? 'airdrop' : 'jetton::transfer_notification'
    return { op: { type }, address: sender, amount, forwarded: forwardPayload?.cell }
  }
  if (everyday.excess.begins(slice)) return { op: { type: 'jetton::excesses' } }
  const opcode = slice.loadUint(32)
  const type = POOL_STEPS.get(opcode)
  if (type !== undefined) return { op: { type } }
  return opcode === WITHDRAW ? withdrawal(slice) : {}
}

/** By the body of the message and what the transaction moved; `account` in friendly form. */
export function operationOf(account: string, moved: bigint, body: BodyOnWire | null) {
  const found =
    body?.type === 'payload'
      ? orNull(() => read(readBoc(Buffer.from(body.cell, 'base64'), { maxDepth: MAX_DEPTH })))
      : null
  const said = body?.type === 'comment' ? body : found?.forwarded === undefined ? null : bodyOfV4(found.forwarded)
  const address = endText(found?.address ?? null)
  return {
    address: address === '' ? account : address,
    ...(said?.type === 'comment' ? { comment: said.comment } : {}),
    items: [
      ...(found?.amount === undefined ? [] : [{ kind: 'token', amount: String(found.amount) }]),
      { kind: 'ton', amount: String(moved) },
    ],
    ...(found?.op === undefined ? {} : { op: found.op }),
  }
}
