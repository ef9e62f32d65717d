// Deployment of a multisig wallet and its orders, and the messages they accept (multisig v2).

import {
  type Builder,
  beginCell,
  type Cell,
  type Codec,
  dictKind,
  emptyDict,
  refValue,
  uintKey,
} from '../../../cell/index.ts'
import { type AccountAddress, commentBody, type Deployment, operationBody } from '../../../devchain/index.ts'
import { storeAccount } from '../body.ts'
import { contractCode, deployment } from '../code.ts'

export interface MultisigMembers {
  /** How many signers must approve. */
  readonly threshold: number
  /** 1 to 255. */
  readonly signers: readonly AccountAddress[]
  /** May only create orders. */
  readonly proposers: readonly AccountAddress[]
}

export interface MultisigParts extends MultisigMembers {
  /** Whether members choose the index of an order; by default indexes are consecutive, from zero. */
  readonly allowsAnySeqno?: boolean
}

export type MultisigAction =
  | { readonly kind: 'message'; readonly mode: number /** As `outgoingMessage` makes it. */; readonly message: Cell }
  | ({ readonly kind: 'update' } & MultisigMembers)

export interface MultisigOrder {
  readonly queryId: bigint
  /** The next index when null. */
  readonly seqno: bigint | null
  /** Its creator: the index of a signer, who approves it as well, or of a proposer. */
  readonly by: { readonly role: 'signer' | 'proposer'; readonly index: number }
  /** Unix seconds. */
  readonly expiresAt: number
  readonly order: Cell
}

const ops = { newOrder: 0xf718510f, approve: 0xa762230f, executeInternal: 0xa32c59bf } as const
const actions = { message: 0xf1381e5b, update: 0x1d0cfbd3 } as const
const NEXT_SEQNO = 2n ** 256n - 1n

const account: Codec<AccountAddress> = {
  load: () => {
    throw new TypeError('Members are written, never read')
  },
  store: (builder, value) => {
    storeAccount(builder, value)
  },
}
const memberKind = dictKind(uintKey(8), account)
const actionKind = dictKind(uintKey(8), refValue)

function membersRoot(members: readonly AccountAddress[], who: string): Cell | null {
  if (members.length > 255) throw new RangeError(`${members.length} ${who} are more than 255`)
  return emptyDict(memberKind).update(members.entries()).root
}

/** Throws RangeError when the threshold cannot be reached, or for too many members. */
function storeMembers(builder: Builder, { threshold, signers, proposers }: MultisigMembers, count: boolean): Builder {
  const root = membersRoot(signers, 'signers')
  if (root === null || threshold < 1 || threshold > signers.length)
    throw new RangeError(`${threshold} of ${signers.length} signers can never approve`)
  builder.storeUint(threshold, 8).storeRef(root)
  if (count) builder.storeUint(signers.length, 8)
  return builder.storeMaybeRef(membersRoot(proposers, 'proposers'))
}

/** A multisig without orders. */
export function multisigWallet({ allowsAnySeqno = false, ...members }: MultisigParts): Deployment {
  const data = storeMembers(beginCell().storeUint(0n, 256), members, true).storeBit(allowsAnySeqno)
  return deployment('multisig/multisig', data.storeRef(contractCode('multisig/order')).end())
}

/** The order of an index as its multisig deploys it. */
export const multisigOrder = (multisig: AccountAddress, seqno: bigint): Deployment =>
  deployment('multisig/order', storeAccount(beginCell(), multisig).storeUint(seqno, 256).end())

function actionCell(action: MultisigAction): Cell {
  if (action.kind === 'message')
    return beginCell().storeUint(actions.message, 32).storeUint(action.mode, 8).storeRef(action.message).end()
  return storeMembers(beginCell().storeUint(actions.update, 32), action, false).end()
}

/** The actions of an order. Throws RangeError for no action, or for more than 255. */
export function orderCell(todo: readonly MultisigAction[]): Cell {
  const { root } = emptyDict(actionKind).update(todo.map((action, place) => [place, actionCell(action)] as const))
  if (root === null || todo.length > 255) throw new RangeError(`An order has 1 to 255 actions, not ${todo.length}`)
  return root
}

/** For a multisig, from a member: creates an order. */
export const newOrderBody = ({ queryId, seqno, by, expiresAt, order }: MultisigOrder): Cell =>
  operationBody(ops.newOrder, queryId)
    .storeUint(seqno ?? NEXT_SEQNO, 256)
    .storeBit(by.role === 'signer')
    .storeUint(by.index, 8)
    .storeUint(expiresAt, 48)
    .storeRef(order)
    .end()

/** For an order, from the signer of this index: approves. */
export const approveBody = (queryId: bigint, index: number): Cell =>
  operationBody(ops.approve, queryId).storeUint(index, 8).end()

/** For an order, from any signer: approves without an index. */
export const approveTextBody = (): Cell => commentBody('approve')

/** For a multisig, from itself: continues an order too long for one transaction. */
export const executeInternalBody = (queryId: bigint, order: Cell): Cell =>
  operationBody(ops.executeInternal, queryId).storeRef(order).end()
