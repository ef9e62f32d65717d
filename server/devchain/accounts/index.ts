// The public accounts: ten wallets and a faucet with TON, all with fixed keys that are public on purpose. Provides their
// code, data and balance for genesis, mnemonics and addresses for people, a signer and the faucet's requests for programs.
// It promises that accounts are the same on every chain of the same global id, and that no key is derived at start. The
// validator's key is not here: each chain has one of its own. It knows no chain: messages leave by the caller's `send`.

export { devWallets } from './devWallets.ts'
export { createFaucet, type Faucet, type FaucetPayout, MAX_PAYOUTS } from './faucet.ts'
export type { PluginOrder } from './pluginOrder.ts'
export { createSigner } from './signing.ts'
export { broughtRequest, USUAL_MODE, walletRequest, walletSeqno } from './walletRequest.ts'
export {
  type AccountDescription,
  describeAccounts,
  EXTRA_CURRENCY,
  faucetAccount,
  furtherWallet,
  type WellKnownAccount,
  walletAccounts,
  walletOfKind,
} from './wellKnownAccounts.ts'
export { configOwnerKey } from './wellKnownKeys.ts'
