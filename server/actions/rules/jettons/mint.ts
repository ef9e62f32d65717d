// A mint: the master mints and sends to the recipient's wallet.

import { jettons } from '../../../bodies/index.ts'
import { type Cell, openCell, orNull } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import type { AccountsFacts } from '../../input.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY } from '../../opcodes.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

const { mint, minterMint, internalTransfer } = jettons

export interface JettonMint {
  readonly asset: string | null
  readonly receiver: string | null
  readonly receiverWallet: string | null
  readonly amount: bigint | null
  readonly tonAmount: bigint | null
}

export const JETTON_MINT = new Kind<JettonMint>({
  type: 'jetton_mint',
  describe: ({ asset, receiver, receiverWallet, amount, tonAmount }) => ({
    roles: { destination: receiver, destinationSecondary: receiverWallet, asset },
    details: {
      asset,
      receiver,
      receiver_jetton_wallet: receiverWallet,
      amount: digits(amount),
      ton_amount: digits(tonAmount),
    },
  }),
})

interface Order {
  readonly receiver: string | null
  readonly tonAmount: bigint
  /** The message the master is to forward, where it parses. */
  readonly amount: bigint | null
}

const readOrder = fieldsOf(mint)
const readMoved = fieldsOf(internalTransfer, 'amount')

function orderedAmount(message: Cell | null): bigint | null {
  return orNull(() => {
    const slice = message === null ? null : openCell(message)
    return slice !== null && internalTransfer.begins(slice) ? readMoved(slice).amount : null
  })
}

/** Both orders have one layout. */
function orderOf(request: ActionBlock): Order | null {
  const fields = readBody(request, readOrder)
  if (fields === null) return null
  const { toAddress: receiver, tonAmount, masterMsg } = fields
  return { receiver, tonAmount, amount: orderedAmount(masterMsg) }
}

/** What a wallet was sent by the master. */
export const mintedAmount = (internal: ActionBlock): bigint | null => readBody(internal, readMoved)?.amount ?? null

/** What a master sends a wallet on the order of `order`, picked with the wallet's notice of it. */
export function mintAfter(order: ActionBlock, picked: Picked): ActionBlock | null {
  const minted = picked.next(order, isCall(JETTON_INTERNAL_TRANSFER))
  if (minted !== null) picked.next(minted, isCall(JETTON_NOTIFY))
  return minted
}

interface Minted {
  readonly order: Order
  readonly internal: ActionBlock | null
  readonly facts: AccountsFacts
}

function mintOf(request: ActionBlock, { order, internal, facts }: Minted): JettonMint | null {
  const envelope = envelopeOf(request)
  if (internal === null || request.failed) {
    const { receiver, tonAmount } = order
    if (envelope === undefined || receiver === null) return null
    // Only the newer of the two orders carries the message that says how much.
    const amount = envelope.opcode === minterMint.opcode ? order.amount : null
    return { asset: envelope.destination, receiver, receiverWallet: null, amount, tonAmount }
  }
  const receiverWallet = destinationOf(internal) ?? ''
  const wallet = facts.get(receiverWallet)?.jettonWallet
  const amount = mintedAmount(internal)
  if (wallet === undefined || wallet.jetton !== envelope?.destination || amount === null) return null
  return { asset: wallet.jetton, receiver: wallet.owner, receiverWallet, amount, tonAmount: order.tonAmount }
}

/** Invariant: the master, ordered to mint, sends to a known wallet of its own; the amount is what it sent. */
export const jettonMint: Rule = {
  name: 'jettons/mint',
  begins: isCall(mint.opcode, minterMint.opcode),
  match(request, facts) {
    const order = orderOf(request)
    if (order === null) return null
    const picked = new Picked(request)
    const internal = picked.next(request, isCall(JETTON_INTERNAL_TRANSFER))
    picked.next(internal ?? request, isCall(JETTON_NOTIFY))
    const minted = mintOf(request, { order, internal, facts })
    if (minted === null) return null
    const failed = request.failed || internal === null || internal.failed
    return { blocks: picked.blocks, content: JETTON_MINT.content(minted), failed }
  },
}
