// The contracts of the embedded chain: written in Tolk beside this file, compiled by `npm run build`, found again by name;
// the codes of the usual wallets stand among them. Also what genesis must know of the two contracts a network cannot be
// without (configuration and elector), how to ask the first for a change, and what validators say to the second.
// A new contract is a `.tolk` file and its path in `compiled.ts`; what it imports stands in a folder beside it. A room above
// that has contracts of its own compiles them by the same functions into a file of its own.
// This room promises the same code for the same sources and compiler. It knows no chain and no keys.

export { commentBody, operationBody, snake } from './body.ts'
export { compiledContract, contractCode, contractCodes } from './code.ts'
export { type ContractName, tolkContracts, walletContracts } from './compiled.ts'
export { type ConfigChange, configRequest, configSeqno } from './configRequest.ts'
export { type AccountAddress, type Deployment, type DeploymentPlace, deploymentOf, stateInit } from './deployment.ts'
export * from './elector/elector.ts'
export { type OutgoingMessage, outgoingMessage } from './message.ts'
export {
  CONFIG_ACCOUNT,
  configData,
  ELECTOR_ACCOUNT,
  ELECTOR_ADDRESS,
  electorData,
  type SystemAccount,
  systemAccounts,
} from './systemAccounts.ts'
