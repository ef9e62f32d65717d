// The service's methods and the shapes in their answers, as types. In the published package flat declarations with the
// registry's descriptions replace this file: editors show those on hover, and zod is not needed.

import type { Api } from '../shared/registry.ts'
import type { Row, Tree } from './tree.ts'

export type { Api } from '../shared/registry.ts'

/** A client of this service: a function for each method. */
export type ServiceClient = Tree<Api>

type RowOf<M extends keyof Api> = Row<Api[M]['result']>
type Part<M extends keyof Api, K extends keyof Api[M]['result']> = Api[M]['result'][K]

export type Block = RowOf<'v3.blocks'>
export type Transaction = RowOf<'v3.transactions'>
export type Message = RowOf<'v3.messages'>
export type Trace = RowOf<'v3.traces'>
export type Action = RowOf<'v3.actions'>
export type { ActionDetails, ActionKind, UnlistedActionType } from '../shared/v3/action.ts'
export type AccountStateFull = Part<'v3.accountStates', 'accounts'>[number]
export type WalletState = Part<'v3.walletStates', 'wallets'>[number]
export type JettonMaster = RowOf<'v3.jetton.masters'>
export type JettonWallet = RowOf<'v3.jetton.wallets'>
export type JettonTransfer = RowOf<'v3.jetton.transfers'>
export type JettonBurn = RowOf<'v3.jetton.burns'>
export type NFTCollection = RowOf<'v3.nft.collections'>
export type NFTItem = RowOf<'v3.nft.items'>
export type NFTTransfer = RowOf<'v3.nft.transfers'>
export type NFTSale = RowOf<'v3.nft.sales'>
export type DNSRecord = RowOf<'v3.dns.records'>

export type Multisig = RowOf<'v3.multisig.wallets'>
export type MultisigOrder = RowOf<'v3.multisig.orders'>
export type VestingContract = RowOf<'v3.vesting'>
/** Names of the accounts in an answer, by raw address. */
export type AddressBook = Part<'v3.transactions', 'address_book'>
/** What is known of the tokens in an answer, by raw address. */
export type Metadata = Part<'v3.jetton.wallets', 'metadata'>
export type TokenInfo = Metadata[string]['token_info'][number]
