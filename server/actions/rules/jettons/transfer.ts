// A transfer of jettons: the owner calls the wallet, which moves the amount to the recipient's wallet; the recipient may
// be notified.

import { type Body, jettons } from '../../../bodies/index.ts'
import { orNull, type Slice } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { readForwardedComment } from '../../comment.ts'
import { digits } from '../../details.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY, JETTON_TRANSFER_OPCODE as REQUEST } from '../../opcodes.ts'
import { cellText, fieldsOf, openPayload, readBody, restAsCell } from '../../reading.ts'
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

export interface JettonTransferFacts extends TransferRequest {
  readonly asset: string | null
  readonly sender: string | null
  readonly receiver: string | null
  readonly senderWallet: string | null
  readonly receiverWallet: string | null
}

const readRequest = fieldsOf(jettons.transfer)

/** The body of a request, its operation first; null when it cannot be read. */
export function readTransferRequest(body: Slice): TransferRequest | null {
  const fields = orNull(() => readRequest(body.clone().skip(32)))
  if (fields === null) return null
  const { queryId, amount, destination, responseDestination, customPayload } = fields
  return {
    queryId,
    amount,
    destination,
    responseDestination,
    customPayload: customPayload === null ? null : cellText(customPayload),
    forwardAmount: fields.forwardTonAmount,
    forwardPayload: openPayload(fields.forwardPayload),
  }
}

const readMoved = fieldsOf(jettons.internalTransfer, 'amount')
const readForwarded = fieldsOf(jettons.internalTransfer, 'forwardTonAmount')

export const rolesOfTransfer = (transfer: JettonTransferFacts) => ({
  source: transfer.sender,
  sourceSecondary: transfer.senderWallet,
  destination: transfer.receiver,
  destinationSecondary: transfer.receiverWallet,
  asset: transfer.asset,
})

export const JETTON_TRANSFER = new Kind<JettonTransferFacts>({
  type: 'jetton_transfer',
  describe: (transfer) => {
    const { asset, sender, receiver, senderWallet, receiverWallet, forwardPayload } = transfer
    const comment = forwardPayload === null ? null : readForwardedComment(forwardPayload)
    return {
      roles: rolesOfTransfer(transfer),
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

/** What a transfer requests of its receiver, behind the operation; null when it forwards another payload. */
export function forwardedAs(block: ActionBlock | null, body: Pick<Body<string, unknown>, 'begins'>): Slice | null {
  const payload = JETTON_TRANSFER.of(block)?.forwardPayload?.clone()
  return payload !== undefined && body.begins(payload) ? payload : null
}

/** Invariant: the request to a wallet makes it send to another known wallet; its owner gives the amount that it sent. */
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
    // Masters that may move what others hold send requests, too.
    const sender = facts.get(from.destination ?? '')?.jettonWallet?.owner ?? from.source
    const requested = readTransferRequest(request.first.openBody())
    const moved = readBody(internal, readMoved)
    if (wallet === undefined || requested === null || moved === null) return null
    // A jetton master is not a wallet: an internal transfer from it mints new jettons.
    if (from.destination === wallet.jetton) return null
    picked.next(internal, isCall(JETTON_NOTIFY))
    const content = JETTON_TRANSFER.content({
      asset: wallet.jetton,
      sender,
      receiver: wallet.owner,
      senderWallet: from.destination,
      receiverWallet: to.destination,
      ...requested,
      amount: moved.amount,
      forwardAmount: readBody(internal, readForwarded)?.forwardTonAmount ?? requested.forwardAmount,
    })
    return { blocks: picked.blocks, content, failed: request.failed || internal.failed }
  },
}
