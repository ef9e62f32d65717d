// What goes into an exchange and what it pays: transfers of jettons, or TON that passes through the exchange's wallet of
// a proxy.

import { stonfi } from '../../../bodies/index.ts'
import type { Slice } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { cameBack, carries, destinationOf, envelopeOf, isCall } from '../../base.ts'
import { JETTON_NOTIFY } from '../../opcodes.ts'
import { fieldsOf, openPayload, readBody } from '../../reading.ts'
import type { Picked } from '../../rule.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { legOf, type SwapTransfer, tonLeg } from './swap.ts'

export const isTransfer = (block: ActionBlock): boolean => JETTON_TRANSFER.is(block)
const isProxyTon = isCall(stonfi.tonTransfer.opcode)
const isNotice = isCall(JETTON_NOTIFY)

export interface Leg {
  readonly block: ActionBlock
  readonly transfer: SwapTransfer
  readonly payload: Slice | null
}

const readProxyTon = fieldsOf(stonfi.tonTransfer, 'tonAmount', 'forwardPayload')

/** What came in and made an exchange send `call`. */
export function legBefore(call: ActionBlock, picked: Picked): Leg | null {
  const { previous } = call
  const transfer = JETTON_TRANSFER.of(previous)
  if (previous !== null && transfer !== undefined) {
    // What failed brought nothing in.
    if (previous.failed) return null
    picked.add(previous)
    const leg = legOf(transfer)
    // TON goes to a wallet of the exchange at once.
    const destinationWallet = leg.destinationWallet ?? previous.first.transaction.account
    return { block: previous, transfer: { ...leg, destinationWallet }, payload: transfer.forwardPayload }
  }
  const entry = previous?.previous ?? null
  const from = envelopeOf(entry)
  if (previous === null || entry === null || from === undefined || !isNotice(previous) || !isProxyTon(entry))
    return null
  const sent = readBody(entry, readProxyTon)
  if (sent === null || !carries(entry, sent.tonAmount)) return null
  picked.add(previous)
  picked.blocks.add(entry)
  const ends = { source: from.source, destination: destinationOf(previous) }
  return {
    block: entry,
    transfer: { ...tonLeg(ends, sent.tonAmount), destinationWallet: from.destination },
    payload: openPayload(sent.forwardPayload),
  }
}

/** Whether a transfer, if it is one of proxied TON, has had its wallet send the TON on. */
const hasLeft = (block: ActionBlock): boolean => {
  const transfer = JETTON_TRANSFER.of(block)
  return transfer !== undefined && (transfer.receiverWallet !== null || block.next.some(isProxyTon))
}

/** What a wallet of proxied TON sent on for a transfer: of several, what brought the amount. */
function sentOn(block: ActionBlock, amount: bigint | null): ActionBlock | undefined {
  const sent = block.next.filter(isProxyTon)
  return sent.find((next) => carries(next, amount)) ?? sent[0]
}

/** Payments of an exchange on `order`; `isPaid` says which transfers count. */
export function legAfter(order: ActionBlock, picked: Picked, isPaid = isTransfer): Leg | null {
  const block = picked.next(order, isPaid)
  const transfer = JETTON_TRANSFER.of(block)
  if (block !== null && transfer !== undefined) {
    // What the one who was paid sends then is not the exchange's.
    const sent = transfer.receiverWallet === null ? sentOn(block, transfer.amount) : undefined
    if (sent !== undefined) picked.blocks.add(sent)
    return { block, transfer: legOf(transfer), payload: transfer.forwardPayload }
  }
  const sent = picked.nextPayment(order, isProxyTon)
  const envelope = envelopeOf(sent)
  const read = sent === null ? null : readBody(sent, readProxyTon)
  if (sent === null || envelope === undefined || read === null || !carries(sent, read.tonAmount)) return null
  return { block: sent, transfer: tonLeg(envelope, read.tonAmount), payload: openPayload(read.forwardPayload) }
}

/** The same for routers that go on with the TON: it counts once it has left, and so does the notice of it. */
export function sentAfter(order: ActionBlock, picked: Picked): Leg | null {
  const leg = legAfter(order, picked, hasLeft)
  const sent = leg === null ? undefined : sentOn(leg.block, leg.transfer.amount)
  if (sent !== undefined) picked.next(sent, isNotice)
  return leg
}

/** A wallet of proxied TON that kept what it was to send on. */
const keptTon = (block: ActionBlock): boolean =>
  JETTON_TRANSFER.of(block)?.receiverWallet === null && block.nodes.length === 1 && block.next.length === 0

/** Whether a payment has not reached its receiver: it failed, came back, or stayed where it was. */
export const hasNotArrived = (block: ActionBlock): boolean =>
  isTransfer(block) ? block.failed || keptTon(block) : cameBack(block)

/** Whether a payment, or a transfer that is any other block of a match, has not reached its receiver. */
export const isUnpaidLeg = ({ blocks, payments }: Picked): boolean =>
  [...blocks].some((block) => (isTransfer(block) || payments.has(block)) && hasNotArrived(block))

/** A call after a leg: directly, or after TON has passed through the caller's proxy. */
export function callBehind(leg: Leg, test: (block: ActionBlock) => boolean): readonly ActionBlock[] {
  let path: readonly ActionBlock[] = [leg.block]
  for (;;) {
    const last = path.at(-1)
    const found = last?.next.find(test)
    if (found !== undefined) return [...path, found]
    const further = last?.next.find((next) => isProxyTon(next) || isNotice(next))
    if (further === undefined || path.length > 3) return []
    path = [...path, further]
  }
}
