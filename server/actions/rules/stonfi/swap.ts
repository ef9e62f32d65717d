// A swap on STON.fi v1: jettons or proxied TON go to the router, which calls the pool, which orders the router to pay.

import { stonfi } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { isCall } from '../../base.ts'
import type { AccountsFacts } from '../../input.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer, isUnpaidLeg } from '../exchanges/legs.ts'
import { JETTON_SWAP, legOf, type Swap, type SwapTransfer } from '../exchanges/swap.ts'
import { isProxyTon } from '../jettons/proxyTon.ts'
import { forwardedAs, JETTON_TRANSFER, type JettonTransferFacts } from '../jettons/transfer.ts'

const readRequest = fieldsOf(stonfi.swapPayload, 'tokenWallet')
const readPayment = fieldsOf(stonfi.payTo, 'exitCode')

interface Payment {
  readonly order: ActionBlock
  readonly transfer: ActionBlock
  readonly exitCode: number
}

function paymentsOf(swap: ActionBlock): Payment[] {
  return swap.next.filter(isCall(stonfi.payTo.opcode)).flatMap((order) => {
    const exitCode = readBody(order, readPayment)?.exitCode
    const transfer = order.next.find(isTransfer)
    return exitCode === undefined || exitCode === stonfi.swapOkReferral.opcode || transfer === undefined
      ? []
      : [{ order, transfer, exitCode }]
  })
}

const amountOf = ({ transfer }: Payment): bigint => JETTON_TRANSFER.of(transfer)?.amount ?? 0n

/** The one that pays the owner: of several, what went well, and of that the most. */
function mainPayment(payments: readonly Payment[]): Payment | undefined {
  const good = payments.filter(({ exitCode }) => exitCode === stonfi.swapOk.opcode)
  const [first, ...others] = good.length > 0 ? good : payments
  return others.reduce((most, payment) => (most && amountOf(payment) > amountOf(most) ? payment : most), first)
}

/** This exchange shows the proxy of TON as what it is. */
const leg = (transfer: JettonTransferFacts): SwapTransfer => ({ ...legOf(transfer), asset: transfer.asset })

interface Legs {
  readonly entry: ActionBlock
  readonly incoming: JettonTransferFacts
  readonly outgoing: JettonTransferFacts
}

function swapOf({ entry, incoming, outgoing }: Legs, facts: AccountsFacts): Swap | null {
  // The router's wallet of what is wanted, as the sender named it.
  const requested = forwardedAs(entry, stonfi.swapPayload)
  const wanted = requested === null ? null : readRequest(requested).tokenWallet
  if (wanted === null) return null
  // Proxied TON goes to the router's own wallet, which is where the request went.
  const routerWallet = isProxyTon(incoming.asset) ? entry.first.transaction.account : incoming.receiverWallet
  return {
    dex: 'stonfi',
    sender: incoming.sender,
    assetIn: incoming.asset,
    assetOut: facts.get(wanted)?.jettonWallet?.jetton ?? outgoing.asset,
    incoming: { ...leg(incoming), destinationWallet: routerWallet },
    outgoing: leg(outgoing),
    hops: [],
    listedWallet: wanted,
  }
}

/** Invariant: what came into the router makes it call the pool, whose order to pay makes the router transfer. */
export const stonfiSwap: Rule = {
  name: 'stonfi/swap',
  begins: isCall(stonfi.swap.opcode),
  match(request, facts) {
    const payment = mainPayment(paymentsOf(request))
    const entry = request.previous
    const picked = new Picked()
    picked.add(request)
    const incoming = JETTON_TRANSFER.of(entry)
    const outgoing = JETTON_TRANSFER.of(payment?.transfer)
    if (payment === undefined || entry === null || incoming === undefined || outgoing === undefined) return null
    picked.blocks.add(entry)
    picked.add(payment.order)
    picked.add(payment.transfer)
    const swap = swapOf({ entry, incoming, outgoing }, facts)
    if (swap === null) return null
    return {
      blocks: picked.blocks,
      content: JETTON_SWAP.content(swap),
      failed: payment.exitCode !== stonfi.swapOk.opcode || isUnpaidLeg(picked),
    }
  },
}
