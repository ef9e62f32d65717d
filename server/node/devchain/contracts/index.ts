// The contracts of the embedded chain: written in Tolk beside this file, compiled by `npm run build`, found again by name;
// the codes of the usual wallets stand among them. Also what genesis must know of the two contracts a network cannot be
// without (configuration and elector), and how to ask the first for a change.
// A new contract is a `.tolk` file here and its name in `compiled.ts`; parts of it stand in a folder of the same name.
// This room promises the same code for the same sources and compiler. It knows no chain and no keys.

export { compiledContract, contractCode } from './code.ts'
export { type CompiledContract, type ContractName, tolkContracts, walletContracts } from './compiled.ts'
export { type ConfigChange, type ConfigRequest, configRequest } from './configRequest.ts'
export {
  CONFIG_ACCOUNT,
  configData,
  ELECTOR_ACCOUNT,
  electorData,
  type SystemAccount,
  systemAccounts,
} from './systemAccounts.ts'
