// The room of interfaces: what a contract is, told by its code. Tables of known code hashes and of the get-methods that
// make an interface, the ids of the get-methods a code has, and how the usual wallets lay out their data.
// It promises that no code, however it is made, costs more than a bounded walk: what cannot be read has no methods.
// It asks nobody: what an account's code is, and whether it was seen at all, is known elsewhere.

export { detectInterfaces } from './detect.ts'
export { methodId } from './methodId.ts'
export { methodIdsOf } from './methodTable.ts'
export {
  isSimpleWallet,
  type WalletData,
  type WalletKind,
  type WalletLayout,
  walletDataOf,
  walletKindOf,
  walletKinds,
} from './wallets.ts'
