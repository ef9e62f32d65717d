// Contract wrappers of @ton/core over the client, an entry of its own (`tonrpc/client/ton`):
//
//   const ton = createTon(createClient({ url: 'http://localhost:8081' }))
//   const wallet = ton.open(WalletContractV4.create({ workchain: 0, publicKey }))
//
// Promises: the whole `ContractProvider` of @ton/core, so that wrappers written for it run as they are; what wrappers
// read in one tick is one request; a get-method that fails throws `ComputeError`; a send resolves when the node has taken
// its message, and `.finalized()` on it when all that followed is in blocks. Uses the @ton/core of the
// caller's project and nothing else: wallets come from the caller.

export type { FollowedContract, FollowedSender, History, Ton } from './createTon.ts'
export { createTon } from './createTon.ts'
export type { Following, FollowOptions, Sending } from './following.ts'
export type { TonMethods } from './provider.ts'
export { type SigningWallet, walletSender } from './sender.ts'
export { type TonConnectMessage, type TonConnector, tonConnectSender } from './tonConnect.ts'
