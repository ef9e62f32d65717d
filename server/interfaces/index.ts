// The room of interfaces: what a contract is, detected from its code. Tables of known code hashes and of the
// get-methods that make an interface, the ids of the get-methods a code has, and how the usual wallets lay out their
// data. It promises that no code, however it is made, costs more than a bounded walk: what cannot be read has no
// methods. It reads no chain and no store: callers pass the code.

export { detectInterfaces } from './detectInterfaces.ts'
export { methodId } from './methodId.ts'
export { methodIdsOf } from './methodTable.ts'
export { isSimpleWallet, type WalletKind, walletDataOf, walletKindOf, walletKinds } from './walletKinds.ts'
export { SIGNED_V5, type WalletOrder, walletOrderOf } from './walletOrders.ts'
export { wellKnownAccounts, wellKnownCodes } from './wellKnown.ts'
