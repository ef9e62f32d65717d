// Wallets that several have to agree on: an order is made, approved, executed. What the wallet sends then are actions of
// their own.

import type { Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall, isComment } from '../../base.ts'
import type { Block } from '../../block.ts'
import { digits } from '../../details.ts'
import { Kind } from '../../kind.ts'
import { base64, plainCellText, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

const NEW_ORDER = 0xf718510f
const ORDER_INIT = 0x9c73fba2
const APPROVE = 0xa762230f
const APPROVED = 0x82609bf6
const REJECTED = 0xafaf283e
const EXECUTE = 0x75097f5d

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

/** Behind the operation. */
const readNewOrder = (body: Slice) => ({
  queryId: body.loadUintBig(64),
  seqno: body.loadUintBig(256),
  isBySigner: body.loadBit(),
  index: body.loadUint(8),
  expiration: body.loadUint(48),
  order: plainCellText(body.loadRef()),
})

/** Whether creating the order also approves it. */
function readIsApproved(body: Slice): boolean {
  body.skip(64 + 8 + 48).skipRefs(2)
  return body.loadBit()
}

export const multisigCreateOrder: Rule = {
  name: 'contracts/multisigCreateOrder',
  begins: isCall(NEW_ORDER),
  match(request, facts) {
    const picked = new Picked(request)
    const init = picked.next(request, isCall(ORDER_INIT))
    const orderAddress = envelopeOf(init)?.destination ?? null
    const order = facts.get(orderAddress ?? '')?.multisigOrder
    const requested = readBody(request, readNewOrder)
    if (init === null || order === undefined || requested === null) return null
    const { source = null, destination = null } = envelopeOf(request) ?? {}
    const isApproved = readBody(init, readIsApproved) ?? false
    const content = CREATE_ORDER.content({ isApproved, source, destination, orderAddress, ...requested, ...order })
    return { blocks: picked.blocks, content, failed: false }
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

const readSignerIndex = (body: Slice): number => body.skip(64).loadUint(8)
const readExitCode = (body: Slice): number => body.skip(64).loadUint(32)

const isApproval = (block: Block): boolean => isCall(APPROVE)(block) || isComment('approve')(block)

export const multisigApprove: Rule = {
  name: 'contracts/multisigApprove',
  begins: isApproval,
  match(request, facts) {
    const { source = null, destination = null } = envelopeOf(request) ?? {}
    const order = facts.get(destination ?? '')?.multisigOrder
    if (order === undefined) return null
    const picked = new Picked(request)
    const answer = picked.next(request, isCall(APPROVED, REJECTED))
    if (answer === null) return null
    const isAccepted = isCall(APPROVED)(answer)
    const content = MULTISIG_APPROVE.content({
      source,
      destination,
      signers: order.signers,
      // A comment does not say which signer it comes from.
      signerIndex: (isCall(APPROVE)(request) ? readBody(request, readSignerIndex) : null) ?? -1,
      exitCode: isAccepted ? 0 : (readBody(answer, readExitCode) ?? 0),
    })
    return { blocks: picked.blocks, content, failed: !isAccepted }
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

/** Behind the operation. */
const readExecution = (body: Slice) => ({
  queryId: body.loadUintBig(64),
  seqno: body.loadUintBig(256),
  expiration: body.loadUint(48),
  approvals: body.loadUint(8),
  signersHash: base64(body.loadBytes(32)),
  order: plainCellText(body.loadRef()),
})

export const multisigExecute: Rule = {
  name: 'contracts/multisigExecute',
  begins: isCall(EXECUTE),
  match(request, facts) {
    const { source = null, destination = null } = envelopeOf(request) ?? {}
    const order = facts.get(source ?? '')?.multisigOrder
    const fields = readBody(request, readExecution)
    if (order === undefined || fields === null) return null
    const content = MULTISIG_EXECUTE.content({ source, destination, signers: order.signers, ...fields })
    return { blocks: new Set([request]), content, failed: request.failed }
  },
}
