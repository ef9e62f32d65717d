// The contracts of the embedded chain: written in Tolk beside this file, compiled by `npm run build`, found again by name;
// the codes of the usual wallets stand among them. Also what genesis must know of the two contracts a network cannot be
// without (configuration and elector), and how to ask the first for a change.
// Beside them the contracts of the public standards, a folder for each family with what deploys and drives it: jettons,
// items and their collections, sales and auctions, domains, the multisig, the vesting wallet, the pool of nominators. Their
// codes are our own: whoever wants to know what they are asks their get-methods.
// A new contract is a `.tolk` file and its path in `compiled.ts`; what it imports stands in a folder beside it.
// This room promises the same code for the same sources and compiler. It knows no chain and no keys.

export { commentBody, type Payload } from './body.ts'
export * from './clock/wages.ts'
export { compiledContract, contractCode } from './code.ts'
export { type CompiledContract, type ContractName, tolkContracts, walletContracts } from './compiled.ts'
export { type ConfigChange, type ConfigRequest, configRequest, configSeqno } from './configRequest.ts'
export { keyOf, linkPart, offChainContent, onChainContent } from './content.ts'
export { type AccountAddress, type Deployment, deployment, stateInit } from './deployment.ts'
export * from './dns/dns.ts'
export * from './dns/records.ts'
export * from './elector/elector.ts'
export * from './jetton/jetton.ts'
export { type OutgoingMessage, outgoingMessage } from './message.ts'
export * from './multisig/multisig.ts'
export * from './nft/nft.ts'
export * from './sale/nameItem.ts'
export * from './sale/sale.ts'
export * from './staking/pool.ts'
export * from './subscription/subscription.ts'
export {
  CONFIG_ACCOUNT,
  configData,
  ELECTOR_ACCOUNT,
  ELECTOR_ADDRESS,
  electorData,
  type SystemAccount,
  systemAccounts,
} from './systemAccounts.ts'
export * from './vesting/vesting.ts'
