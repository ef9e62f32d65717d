// Deployment of a multisig wallet and its orders, and the messages they accept (multisig v2).

import { multisig, multisigActions } from '../../../bodies/index.ts'
import { beginCell, type Cell, type Codec, dictKind, emptyDict, refValue, uintKey } from '../../../cell/index.ts'
import { type AccountId, commentBody, type Deployment } from '../../../devchain/index.ts'
import { cellWriter, storeAddressOrNone } from '../body.ts'
import { contractCode, deployment } from '../code.ts'

export interface MultisigMembers {
  /** How many signers must approve. */
  readonly threshold: number
  /** 1 to 255. */
  readonly signers: readonly AccountId[]
  /** May only create orders. */
  readonly proposers: readonly AccountId[]
}

export interface MultisigParts extends MultisigMembers {
  /** Whether members choose the index of an order; by default indexes are consecutive, from zero. */
  readonly allowsAnySeqno?: boolean
}

export type MultisigAction =
  | { readonly kind: 'message'; readonly mode: number /** As `outgoingMessage` makes it. */; readonly message: Cell }
  | ({ readonly kind: 'update' } & MultisigMembers)

export interface MultisigOrderInit {
  readonly queryId: bigint
  /** The next index when null. */
  readonly seqno: bigint | null
  /** Its creator: the index of a signer, who approves it as well, or of a proposer. */
  readonly by: { readonly role: 'signer' | 'proposer'; readonly index: number }
  /** Unix seconds. */
  readonly expiresAt: number
  readonly order: Cell
}

const NEXT_SEQNO = 2n ** 256n - 1n

const account: Codec<AccountId> = {
  load: () => {
    throw new TypeError('Members are written, never read')
  },
  store: (builder, value) => {
    storeAddressOrNone(builder, value)
  },
}
const memberKind = dictKind(uintKey(8), account)
const actionKind = dictKind(uintKey(8), refValue)

function membersRoot(members: readonly AccountId[], who: string): Cell | null {
  if (members.length > 255) throw new RangeError(`${members.length} ${who} are more than 255`)
  return emptyDict(memberKind).update(members.entries()).root
}

/** Throws RangeError when the threshold cannot be reached, or for too many members. */
function membersOf({ threshold, signers, proposers }: MultisigMembers) {
  const root = membersRoot(signers, 'signers')
  if (root === null || threshold < 1 || threshold > signers.length)
    throw new RangeError(`${threshold} of ${signers.length} signers can never approve`)
  return { threshold, signers: root, proposers: membersRoot(proposers, 'proposers') }
}

/** A multisig without orders. */
export function multisigWallet({ allowsAnySeqno = false, ...members }: MultisigParts): Deployment {
  const { threshold, signers, proposers } = membersOf(members)
  const head = beginCell().storeUint(0n, 256).storeUint(threshold, 8).storeRef(signers)
  const data = head.storeUint(members.signers.length, 8).storeMaybeRef(proposers).storeBit(allowsAnySeqno)
  return deployment('multisig/multisig', data.storeRef(contractCode('multisig/order')).end())
}

/** The order of an index as its multisig deploys it. */
export const multisigOrderOf = (wallet: AccountId, seqno: bigint): Deployment =>
  deployment('multisig/order', storeAddressOrNone(beginCell(), wallet).storeUint(seqno, 256).end())

const writeSend = cellWriter(multisigActions.sendMessage)
const writeUpdate = cellWriter(multisigActions.updateParams)
const writeNewOrder = cellWriter(multisig.newOrder)
const writeApproval = cellWriter(multisig.approve)
const writeExecution = cellWriter(multisig.executeInternal)

function actionCell(action: MultisigAction): Cell {
  if (action.kind === 'message') return writeSend({ mode: action.mode, message: action.message })
  const { threshold, signers, proposers } = membersOf(action)
  return writeUpdate({ threshold, signers, proposers })
}

/** The actions of an order. Throws RangeError for no action, or for more than 255. */
export function orderCell(todo: readonly MultisigAction[]): Cell {
  const { root } = emptyDict(actionKind).update(todo.map((action, place) => [place, actionCell(action)] as const))
  if (root === null || todo.length > 255) throw new RangeError(`An order has 1 to 255 actions, not ${todo.length}`)
  return root
}

/** For a multisig, from a member: creates an order. */
export const newOrderBody = ({ queryId, seqno, by, expiresAt, order }: MultisigOrderInit): Cell =>
  writeNewOrder({
    queryId,
    orderSeqno: seqno ?? NEXT_SEQNO,
    signer: by.role === 'signer',
    index: by.index,
    expirationDate: expiresAt,
    order,
  })

/** For an order, from the signer of this index: approves. */
export const approveBody = (queryId: bigint, index: number): Cell => writeApproval({ queryId, signerIndex: index })

/** For an order, from any signer: approves without an index. */
export const approveTextBody = (): Cell => commentBody('approve')

/** For a multisig, from itself: continues an order too long for one transaction. */
export const executeInternalBody = (queryId: bigint, order: Cell): Cell => writeExecution({ queryId, order })
