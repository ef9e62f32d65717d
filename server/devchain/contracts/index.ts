// The contracts of the embedded chain: written in Tolk next to this file, compiled by `npm run build`, loaded by name, with
// the codes of the usual wallets. Also the initial data of the two contracts every network needs (configuration and
// elector), requests to change the configuration, and the messages of validators to the elector.
// A new contract is a `.tolk` file and its path in `compiled.ts`; its imports are in a folder next to it. A room above
// that has contracts of its own compiles them by the same functions into a file of its own.
// This room promises the same code for the same sources and compiler. It knows no chain and no keys.

export { type ContractName, tolkContracts, walletContracts } from './compiled.ts'
export { type ConfigChange, configRequest, configSeqno } from './configRequest.ts'
export { compiledContract, contractCode, contractCodes } from './contractCodes.ts'
export { type Deployment, type DeploymentPlace, deploymentOf, initOf, stateInit } from './deployment.ts'
export * from './elector/complaintBodies.ts'
export * from './elector/electorBodies.ts'
export { messageFromOutside } from './messageFromOutside.ts'
export { commentBody, operationBody, snake } from './operationBody.ts'
export { type OutgoingMessage, outgoingMessage } from './outgoingMessage.ts'
export {
  CONFIG_ACCOUNT,
  configData,
  ELECTOR_ACCOUNT,
  ELECTOR_ADDRESS,
  electorData,
  type SystemAccount,
  systemAccounts,
} from './systemAccounts.ts'
