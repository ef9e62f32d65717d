// Messages that were never sent: what a wallet was requested to send when its transaction sent nothing, as far as the
// request can be read.

import { ActionBlock, NO_ACCOUNTS } from './actionBlock.ts'
import { CALL, isTransferOpcode, type MessageHead, TON_TRANSFER } from './base.ts'
import { readComment } from './comment.ts'
import type { AccountsFacts } from './input.ts'
import { type Node, UnsentNode } from './node.ts'
import { JETTON_TRANSFER_OPCODE } from './opcodes.ts'
import { type OrderedMessage, orderedMessages } from './orders.ts'
import { JETTON_TRANSFER, readTransferRequest } from './rules/jettons/transfer.ts'

/** Of a transaction that sent nothing. */
export function unsentBlocks(root: Node, facts: AccountsFacts): ActionBlock[] {
  if (root.message?.kind !== 'externalIn' || root.transaction.outMessages.length > 0 || root.body === null) return []
  return orderedMessages(root.body).map((order) => unsentBlock(root, order, facts))
}

function unsentBlock(root: Node, order: OrderedMessage, facts: AccountsFacts): ActionBlock {
  const { opcode, value, destination, extraCurrencies } = order
  const envelope: MessageHead = { opcode, value, destination, extraCurrencies, source: root.transaction.account }
  const node = new UnsentNode(root, order)
  return new ActionBlock({
    nodes: [node],
    parts: [],
    content: contentOf(envelope, order, facts),
    failed: true,
    deployments: NO_ACCOUNTS,
    callOpcode: null,
  })
}

function contentOf(envelope: MessageHead, { body }: OrderedMessage, facts: AccountsFacts): ActionBlock['content'] {
  const { opcode, source, destination } = envelope
  if (destination !== null && isTransferOpcode(opcode))
    return TON_TRANSFER.content({ comment: readComment(body), ...envelope })
  const request = opcode === JETTON_TRANSFER_OPCODE ? readTransferRequest(body) : null
  const wallet = facts.get(destination ?? '')?.jettonWallet
  // Jettons of an unknown master would look like TON.
  if (request === null || wallet === undefined) return CALL.content(envelope)
  return JETTON_TRANSFER.content({
    sender: source,
    receiver: request.destination,
    senderWallet: destination,
    receiverWallet: null,
    asset: wallet.jetton,
    ...request,
  })
}
