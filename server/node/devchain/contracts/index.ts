// The contracts of the embedded chain: written in Tolk beside this file, compiled by `npm run build`, found again by name;
// the codes of the usual wallets stand among them. Also what genesis must know of the two contracts a network cannot be
// without (configuration and elector), and how to ask the first for a change.
// And a family of tokens and wallets by the public standards, each in a folder of its own with what deploys and drives it:
// jettons in `jetton/`, items and their collections in `nft/`.
// A new contract is a `.tolk` file and its path in `compiled.ts`; what it imports stands in a folder beside it.
// This room promises the same code for the same sources and compiler. It knows no chain and no keys.

export { commentBody, type Payload } from './body.ts'
export { compiledContract, contractCode } from './code.ts'
export { type CompiledContract, type ContractName, tolkContracts, walletContracts } from './compiled.ts'
export { type ConfigChange, type ConfigRequest, configRequest } from './configRequest.ts'
export { keyOf, linkPart, offChainContent, onChainContent } from './content.ts'
export { type AccountAddress, type Deployment, deployment, stateInit } from './deployment.ts'
export * from './dns/dns.ts'
export * from './dns/records.ts'
export * from './jetton/jetton.ts'
export * from './nft/nft.ts'
export * from './sale/sale.ts'
export {
  CONFIG_ACCOUNT,
  configData,
  ELECTOR_ACCOUNT,
  electorData,
  type SystemAccount,
  systemAccounts,
} from './systemAccounts.ts'
