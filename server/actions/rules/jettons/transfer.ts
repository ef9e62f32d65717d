// A transfer of jettons: the owner calls the wallet, which moves the amount to the recipient's wallet; the recipient may
// be notified.

import { openCell, type Slice } from '../../../cell/index.ts'
import { orNull } from '../../../tlb/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { readComment } from '../../comment.ts'
import { digits } from '../../details.ts'
import { Kind } from '../../kind.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY, JETTON_TRANSFER as REQUEST } from '../../opcodes.ts'
import { cellText, readAddress, restAsCell } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

export interface TransferRequest {
  readonly queryId: bigint
  readonly amount: bigint
  readonly destination: string | null
  readonly responseDestination: string | null
  readonly customPayload: string | null
  readonly forwardAmount: bigint
  /** Null when it is empty. */
  readonly forwardPayload: Slice | null
}

export interface JettonTransfer extends TransferRequest {
  readonly asset: string | null
  readonly sender: string | null
  readonly receiver: string | null
  readonly senderWallet: string | null
  readonly receiverWallet: string | null
}

/** `Either Cell ^Cell`; many contracts leave the bit out when there is nothing to say. */
export function readPayload(slice: Slice): Slice | null {
  if (slice.remainingBits === 0) return null
  const payload = slice.loadBit() ? openCell(slice.loadRef()) : slice.loadRest()
  return payload.isEmpty ? null : payload
}

/** The body of a request, its operation first. */
export const readTransferRequest = (body: Slice): TransferRequest | null =>
  orNull(() => {
    const slice = body.clone().skip(32)
    const queryId = slice.loadUintBig(64)
    const amount = slice.loadVarUint(16)
    const destination = readAddress(slice)
    const responseDestination = readAddress(slice)
    const custom = slice.loadMaybeRef()
    const forwardAmount = slice.loadVarUint(16)
    return {
      queryId,
      amount,
      destination,
      responseDestination,
      customPayload: custom === null ? null : cellText(custom),
      forwardAmount,
      forwardPayload: orNull(() => readPayload(slice)),
    }
  })

interface InternalTransfer {
  readonly amount: bigint
  readonly forwardAmount: bigint
}

const readInternalTransfer = (body: Slice): InternalTransfer | null =>
  orNull(() => {
    const slice = body.clone().skip(32 + 64)
    const amount = slice.loadVarUint(16)
    readAddress(slice)
    readAddress(slice)
    return { amount, forwardAmount: slice.loadVarUint(16) }
  })

export const JETTON_TRANSFER = new Kind<JettonTransfer>({
  type: 'jetton_transfer',
  describe: (transfer) => {
    const { asset, sender, receiver, senderWallet, receiverWallet, forwardPayload } = transfer
    const comment = forwardPayload === null ? null : readComment(forwardPayload)
    return {
      roles: {
        source: sender,
        sourceSecondary: senderWallet,
        destination: receiver,
        destinationSecondary: receiverWallet,
        asset,
      },
      details: {
        asset,
        sender,
        receiver,
        sender_jetton_wallet: senderWallet,
        receiver_jetton_wallet: receiverWallet,
        amount: digits(transfer.amount),
        comment: comment?.text ?? null,
        is_encrypted_comment: comment?.isEncrypted ?? false,
        query_id: digits(transfer.queryId),
        response_destination: transfer.responseDestination,
        custom_payload: transfer.customPayload,
        forward_payload: forwardPayload === null ? null : cellText(restAsCell(forwardPayload.clone())),
        forward_amount: digits(transfer.forwardAmount),
      },
    }
  },
})

export const jettonTransfer: Rule = {
  name: 'jettons/transfer',
  begins: isCall(REQUEST),
  match(request, facts) {
    const picked = new Picked(request)
    const internal = picked.next(request, isCall(JETTON_INTERNAL_TRANSFER))
    const from = envelopeOf(request)
    const to = envelopeOf(internal)
    if (internal === null || from === undefined || to === undefined || to.destination === null) return null
    const wallet = facts.get(to.destination)?.jettonWallet
    const requested = readTransferRequest(request.first.openBody())
    if (wallet === undefined || requested === null) return null
    picked.next(internal, isCall(JETTON_NOTIFY))
    const moved = readInternalTransfer(internal.first.openBody())
    const content = JETTON_TRANSFER.content({
      asset: wallet.jetton,
      sender: from.source,
      receiver: wallet.owner,
      senderWallet: from.destination,
      receiverWallet: to.destination,
      ...requested,
      ...moved,
    })
    return { blocks: picked.blocks, content, failed: request.failed || internal.failed }
  },
}
