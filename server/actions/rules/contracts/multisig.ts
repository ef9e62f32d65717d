// Wallets that several have to agree on: an order is made, approved, executed. What the wallet sends then are actions of
// their own.

import { multisig } from '../../../bodies/index.ts'
import { base64Of } from '../../../cell/index.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, either, envelopeOf, isCall, isComment } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, plainCellText, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

interface Ends {
  readonly source: string | null
  readonly destination: string | null
  readonly signers: readonly string[]
}

interface NewOrder extends Ends {
  readonly queryId: bigint
  readonly seqno: bigint
  readonly isBySigner: boolean
  readonly isApproved: boolean
  readonly index: number
  readonly expiration: number
  readonly order: string
  readonly orderAddress: string | null
}

const CREATE_ORDER = new Kind<NewOrder>({
  type: 'multisig_create_order',
  describe: ({ source, destination, orderAddress, signers, ...order }) => ({
    roles: { source, destination, destinationSecondary: orderAddress },
    details: {
      query_id: digits(order.queryId),
      order_seqno: digits(order.seqno),
      is_created_by_signer: order.isBySigner,
      is_signed_by_creator: order.isApproved,
      creator_index: order.index,
      expiration_date: order.expiration,
      order_boc: order.order,
      source,
      destination,
      destination_order: orderAddress,
    },
    accounts: signers,
  }),
})

const readNewOrder = fieldsOf(multisig.newOrder)
/** Creating the order also approves it when a signer is named. */
const readCreator = fieldsOf(multisig.orderInit, 'signerIndex')

/** Invariant: the wallet initializes the contract of an order, which is known as one of its own. */
export const multisigCreateOrder: Rule = {
  name: 'contracts/multisigCreateOrder',
  begins: isCall(multisig.newOrder.opcode),
  match(request, facts) {
    const picked = new Picked(request)
    const init = picked.next(request, isCall(multisig.orderInit.opcode))
    const orderAddress = destinationOf(init)
    const order = facts.get(orderAddress ?? '')?.multisigOrder
    const requested = readBody(request, readNewOrder)
    if (init === null || order === undefined || requested === null) return null
    const { source = null, destination = null } = envelopeOf(request) ?? {}
    const content = CREATE_ORDER.content({
      queryId: requested.queryId,
      seqno: requested.orderSeqno,
      isBySigner: requested.signer,
      isApproved: (readBody(init, readCreator)?.signerIndex ?? null) !== null,
      index: requested.index,
      expiration: requested.expirationDate,
      order: plainCellText(requested.order),
      source,
      destination,
      orderAddress,
      ...order,
    })
    return { blocks: picked.blocks, content, failed: init.failed }
  },
}

interface Approval extends Ends {
  readonly signerIndex: number
  readonly exitCode: number
}

const MULTISIG_APPROVE = new Kind<Approval>({
  type: 'multisig_approve',
  describe: ({ source, destination, signerIndex, exitCode, signers }) => ({
    roles: { source, destination },
    details: { signer_index: signerIndex, exit_code: exitCode, source, destination },
    accounts: signers,
  }),
})

const readApproval = fieldsOf(multisig.approve, 'signerIndex')
const readRejection = fieldsOf(multisig.approveRejected, 'exitCode')

const isApproval = either(isCall(multisig.approve.opcode), isComment('approve'))

/** Invariant: a known order accepts or rejects what was sent to approve it. */
export const multisigApprove: Rule = {
  name: 'contracts/multisigApprove',
  begins: isApproval,
  match(request, facts) {
    const { source = null, destination = null } = envelopeOf(request) ?? {}
    const order = facts.get(destination ?? '')?.multisigOrder
    if (order === undefined) return null
    const answer = request.next.find(isCall(multisig.approveAccepted.opcode, multisig.approveRejected.opcode))
    if (answer === undefined) return null
    const isAccepted = isCall(multisig.approveAccepted.opcode)(answer)
    const content = MULTISIG_APPROVE.content({
      source,
      destination,
      signers: order.signers,
      // A comment does not say which signer it comes from.
      signerIndex:
        (isCall(multisig.approve.opcode)(request) ? readBody(request, readApproval)?.signerIndex : null) ?? -1,
      exitCode: isAccepted ? 0 : (readBody(answer, readRejection)?.exitCode ?? 0),
    })
    return { blocks: new Set([request, answer]), content, failed: !isAccepted }
  },
}

interface Execution extends Ends {
  readonly queryId: bigint
  readonly seqno: bigint
  readonly expiration: number
  readonly approvals: number
  readonly signersHash: string
  readonly order: string
}

const MULTISIG_EXECUTE = new Kind<Execution>({
  type: 'multisig_execute',
  describe: ({ source, destination, signers, ...execution }) => ({
    roles: { source, destination },
    details: {
      query_id: digits(execution.queryId),
      order_seqno: digits(execution.seqno),
      expiration_date: execution.expiration,
      approvals_num: execution.approvals,
      signers_hash: execution.signersHash,
      order_boc: execution.order,
      source,
      destination,
    },
    accounts: signers,
  }),
})

const readExecution = fieldsOf(multisig.execute)

/** Invariant: a known order has its wallet execute it. */
export const multisigExecute: Rule = {
  name: 'contracts/multisigExecute',
  begins: isCall(multisig.execute.opcode),
  match(request, facts) {
    const { source = null, destination = null } = envelopeOf(request) ?? {}
    const order = facts.get(source ?? '')?.multisigOrder
    const fields = readBody(request, readExecution)
    if (order === undefined || fields === null) return null
    const content = MULTISIG_EXECUTE.content({
      source,
      destination,
      signers: order.signers,
      queryId: fields.queryId,
      seqno: fields.orderSeqno,
      expiration: fields.expirationDate,
      approvals: fields.approvalsNum,
      signersHash: base64Of(fields.signersHash),
      order: plainCellText(fields.order),
    })
    return { blocks: new Set([request]), content, failed: request.failed }
  },
}
