// Wallets several people sign for together, and the orders they sign, each a contract of its own. Only a multisig knows
// its orders.

import { type Cell, Dict, dictKind, loadAddress, orNull, type StdAddress, uintKey } from '../../cell/index.ts'
import { TlbError } from '../../tlb/index.ts'
import { addressAt, cellAt, intAt, type Results } from '../stack/results.ts'
import { intValue } from '../stack/stackValue.ts'
import { type ContractKind, gives } from './kind.ts'

export interface MultisigData {
  readonly nextOrderSeqno: bigint
  readonly threshold: bigint
  /** In the order of their numbers. */
  readonly signers: readonly StdAddress[]
  readonly proposers: readonly StdAddress[]
}

export interface MultisigOrderData {
  readonly multisig: StdAddress
  readonly orderSeqno: bigint
  readonly threshold: bigint
  readonly sentForExecution: boolean
  readonly signers: readonly StdAddress[]
  readonly approvalsMask: bigint
  readonly approvalsNum: bigint
  readonly expirationDate: bigint
  readonly order: Cell
}

const memberKind = dictKind(uintKey(8), {
  load(slice): StdAddress {
    const address = loadAddress(slice)
    if (address?.kind === 'std' && address.anycast === null) return address
    throw new TlbError('value', 'a member has an address of the usual form')
  },
  store: () => {
    throw new TlbError('value', 'members are only read')
  },
})

const membersOf = (root: Cell | null): readonly StdAddress[] | null =>
  root === null ? [] : orNull(() => [...new Dict(memberKind, root)].map(([, address]) => address))

/** A dictionary at a place of the stack, which may be empty; null for anything else. */
function membersAt(stack: Results, at: number): readonly StdAddress[] | null {
  if (stack[at]?.kind === 'null') return []
  const root = cellAt(stack, at)
  return root === undefined ? null : membersOf(root)
}

export const multisigKind: ContractKind<MultisigData> = {
  methods: ['get_multisig_data'],
  async read(contracts, id) {
    const stack = await contracts.results(id, 'get_multisig_data')
    if (stack === null) return null
    const nextOrderSeqno = intAt(stack, 0)
    const threshold = intAt(stack, 1)
    const signers = membersAt(stack, 2)
    const proposers = membersAt(stack, 3)
    if (nextOrderSeqno === undefined || threshold === undefined || signers === null || proposers === null) return null
    return { nextOrderSeqno, threshold, signers, proposers }
  },
}

export const multisigOrderKind: ContractKind<MultisigOrderData> = {
  methods: ['get_order_data'],
  async read(contracts, id) {
    const stack = await contracts.results(id, 'get_order_data')
    if (stack === null) return null
    const of = addressAt(stack, 0)
    const orderSeqno = intAt(stack, 1)
    const threshold = intAt(stack, 2)
    const sent = intAt(stack, 3)
    const signers = membersAt(stack, 4)
    const order = cellAt(stack, 8)
    const approvalsMask = intAt(stack, 5)
    const approvalsNum = intAt(stack, 6)
    const expirationDate = intAt(stack, 7)
    if (of == null || orderSeqno === undefined || threshold === undefined || sent === undefined) return null
    if (approvalsMask === undefined || approvalsNum === undefined || expirationDate === undefined) return null
    if (signers === null || order === undefined) return null
    if (!gives(await contracts.results(of, 'get_order_address', [intValue(orderSeqno)]), id)) return null
    const sentForExecution = sent !== 0n
    const approvals = { approvalsMask, approvalsNum, expirationDate }
    return { multisig: of, orderSeqno, threshold, sentForExecution, signers, order, ...approvals }
  },
}
