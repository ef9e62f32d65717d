// The room of contracts: what contracts answer when their get-methods are run here, in the TVM, and what they therefore
// are: jettons, collections, items, domains, sales, shared and locked wallets, pools (`kinds/`, one definition for all
// callers). It promises that a contract that lies, loops or returns garbage is treated like one of no known kind: what
// it claims about others counts only when they confirm it, and all runs for one answer have a bound on their gas
// together. It knows neither callers nor rows; the caller supplies accounts (`ContractsSource`).

export { ContractError } from './contractError.ts'
export { Contracts, type ContractsSource, GasMeter, MOST_GAS } from './contracts.ts'
export { type DedustPool, dedustPoolKind, dedustPoolV2Kind } from './kinds/dedust.ts'
export { ALL_CATEGORIES, resolveArguments } from './kinds/dnsArguments.ts'
export {
  type DomainAuction,
  type DomainContent,
  domainAuction,
  domainContent,
  lastFillUp,
} from './kinds/domain.ts'
export { type JettonMasterData, type JettonWalletData, jettonMasterKind, jettonWalletKind } from './kinds/jetton.ts'
export type { ContractKind } from './kinds/kind.ts'
export { type MultisigData, type MultisigOrderData, multisigKind, multisigOrderKind } from './kinds/multisig.ts'
export { type BareItem, itemContent, type NftCollectionData, nftCollectionKind, nftItemKind } from './kinds/nft.ts'
export { answersAsPool } from './kinds/nominatorPool.ts'
export { type Auction, auctionKind, type Sale, saleKind, type Telemint, telemintKind } from './kinds/sale.ts'
export { detectToken, type TokenContractData } from './kinds/token.ts'
export { type VestingData, vestingKind } from './kinds/vesting.ts'
export { bocText, largeBocText } from './run/bocText.ts'
export { Libraries } from './run/libraries.ts'
export { createMethodRunner } from './run/methodRunner.ts'
export {
  contractOf,
  type GetMethodTools,
  type MethodCall,
  NOT_ACTIVE,
  notActive,
  type RunnableContract,
  type RunOutcome,
  runGetMethod,
} from './run/runGetMethod.ts'
export { type RunSetting, RunSettings } from './run/runSetting.ts'
export { addressAt, cellAt, intAt } from './stack/results.ts'
export { MOST_STACK_VALUES, readStack, writeStack } from './stack/stackCells.ts'
export { intValue, listItems, listValue, NULL, type StackValue, tupleValue } from './stack/stackValue.ts'
