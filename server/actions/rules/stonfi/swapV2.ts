// A swap on STON.fi v2: as in the first version, but a payment may be the next swap, of the same router or another one.

import { routerRequest, stonfi, stonfiV2 } from '../../../bodies/index.ts'
import { openCell } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { isCall } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { sentAfter } from '../exchanges/legs.ts'
import { heldIn, routedSwap } from '../exchanges/routed.ts'
import { type PayTo, readPayTo } from './payTo.ts'

const SWAP_OK = stonfi.swapOk.opcode

interface SwapOrder {
  readonly amount: bigint
  /** The router's wallet of what is wanted. */
  readonly wanted: string | null
}

const readSwap = fieldsOf(stonfiV2.swap, 'amount0', 'amount1', 'payload')
const readRequest = fieldsOf(routerRequest, 'tokenWallet')

function requestOf(swap: ActionBlock): SwapOrder | null {
  return readBody(swap, (body) => {
    const { amount0, amount1, payload } = readSwap(body)
    return { amount: amount0 + amount1, wanted: readRequest(openCell(payload)).tokenWallet }
  })
}

interface Payment {
  readonly order: ActionBlock
  readonly paid: PayTo
}

const isDone = ({ exitCode }: PayTo): boolean => exitCode === SWAP_OK

/** The one that pays the owner: what went well before what did not, then the most. */
function mainPayment(swap: ActionBlock): Payment | null {
  const payments = swap.next.filter(isCall(stonfiV2.payTo.opcode)).flatMap((order) => {
    const paid = readBody(order, readPayTo)
    return paid === null ? [] : [{ order, paid }]
  })
  const weight = ({ paid }: Payment): bigint => (isDone(paid) ? 1n << 128n : 0n) + paid.amount
  return payments.reduce<Payment | null>(
    (best, payment) => (best === null || weight(payment) > weight(best) ? payment : best),
    null,
  )
}

export const stonfiSwapV2 = routedSwap<SwapOrder, PayTo>({
  name: 'stonfi/swapV2',
  dex: 'stonfi_v2',
  isSwap: isCall(stonfiV2.swap.opcode),
  requestOf,
  orderAfter: mainPayment,
  legAfter: sentAfter,
  isDone,
  amountsOf: ({ requested, paid }) => ({ amountIn: requested.amount, amountOut: paid.amount }),
  walletOf: ({ wallet }) => wallet,
  // What came back says nothing of what was wanted.
  wanted: ({ failed, last }, facts) => (failed ? heldIn(last.requested.wanted, facts) : undefined),
})
