// The service's methods and the shapes in their answers, as types. In the published package flat declarations with the
// registry's descriptions replace this file: editors show those on hover, and zod is not needed.

import type { Api } from '../shared/registry.ts'
import type { Row, Tree } from './tree.ts'

export type { Api } from '../shared/registry.ts'

/** A client of this service: a function for each method. */
export type ServiceClient = Tree<Api>

type RowOf<M extends keyof Api> = Row<Api[M]['result']>
type Part<M extends keyof Api, K extends keyof Api[M]['result']> = Api[M]['result'][K]

export type { Action, ActionDetails, ActionKind, UnlistedActionType } from '../shared/v3/action.ts'
export type { NFTCollection, NFTItem } from '../shared/v3/assets/item.ts'
export type { Block } from '../shared/v3/blocks.ts'
export type { AddressBook, Metadata, TokenInfo } from '../shared/v3/sideObjects.ts'
export type { Trace } from '../shared/v3/traces.ts'
export type { Message, Transaction } from '../shared/v3/transaction.ts'
export type AccountStateFull = Part<'v3.accountStates', 'accounts'>[number]
export type WalletState = Part<'v3.walletStates', 'wallets'>[number]
export type JettonMaster = RowOf<'v3.jetton.masters'>
export type JettonWallet = RowOf<'v3.jetton.wallets'>
export type JettonTransfer = RowOf<'v3.jetton.transfers'>
export type JettonBurn = RowOf<'v3.jetton.burns'>
export type NFTTransfer = RowOf<'v3.nft.transfers'>
export type NFTSale = RowOf<'v3.nft.sales'>
export type DNSRecord = RowOf<'v3.dns.records'>

export type Multisig = RowOf<'v3.multisig.wallets'>
export type MultisigOrder = RowOf<'v3.multisig.orders'>
export type VestingContract = RowOf<'v3.vesting'>
