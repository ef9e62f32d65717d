// A mint: the master mints and sends to the recipient's wallet.

import { openCell, type Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { digits } from '../../details.ts'
import type { Facts } from '../../input.ts'
import { Kind } from '../../kind.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY } from '../../opcodes.ts'
import { readAddress, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

const MINT = 0x642b7d07
const MINTER_MINT = 0x00000015

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

/** Behind the operation. */
function readOrder(body: Slice): Order {
  const receiver = readAddress(body.skip(64))
  const tonAmount = body.loadCoins()
  const message = body.remainingRefs === 0 ? null : openCell(body.loadRef())
  const isTransfer =
    message !== null && message.remainingBits >= 100 && message.preloadUint(32) === JETTON_INTERNAL_TRANSFER
  return { receiver, tonAmount, amount: isTransfer ? message.skip(32 + 64).loadVarUint(16) : null }
}

const mintedAmount = (body: Slice): bigint => body.skip(64).loadVarUint(16)

interface Minted {
  readonly order: Order
  readonly internal: Block | null
  readonly facts: Facts
}

function mintOf(request: Block, { order, internal, facts }: Minted): JettonMint | null {
  const envelope = envelopeOf(request)
  if (internal === null || request.failed) {
    // Only the newer of the two orders carries the message that says how much.
    const amount = envelope?.opcode === MINTER_MINT ? order.amount : null
    const { receiver, tonAmount } = order
    return { asset: envelope?.destination ?? null, receiver, receiverWallet: null, amount, tonAmount }
  }
  const receiverWallet = envelopeOf(internal)?.destination ?? ''
  const wallet = facts.get(receiverWallet)?.jettonWallet
  const amount = readBody(internal, mintedAmount)
  if (wallet === undefined || amount === null) return null
  return { asset: wallet.jetton, receiver: wallet.owner, receiverWallet, amount, tonAmount: order.tonAmount }
}

export const jettonMint: Rule = {
  name: 'jettons/mint',
  begins: isCall(MINT, MINTER_MINT),
  match(request, facts) {
    const order = readBody(request, readOrder)
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
