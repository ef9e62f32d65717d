// The room of TL-B: what the cells of a chain mean. What blocks, states, messages and configurations hold is read and
// written by pure functions, `loadX(slice)` and `storeX(builder, value)`, over plain typed objects: bigint for coins,
// logical times and anything of 64 bits, bytes for hashes, dictionaries as dictionaries. It promises that storing what was
// loaded gives the identical cell, and that cells which are something else meet a CellError. Transactions are only read,
// since the emulator writes them. What lies behind a reference and is known by its hash (messages, transactions, accounts,
// parts of blocks and states) stays a cell until it is read, so that proofs with holes can be read as far as they go. What
// contracts agree on among themselves, the content of tokens and the records of DNS, is only read, and leniently: it may be
// anything. It knows nothing of rules: whether a block is valid, a balance right or a signature good is for others to say.

export * from './account/account.ts'
export * from './account/shardAccounts.ts'
export * from './account/storageUsed.ts'
export * from './block/accountBlocks.ts'
export * from './block/block.ts'
export * from './block/ids.ts'
export * from './block/info.ts'
export * from './block/masterExtra.ts'
export * from './block/shards.ts'
export * from './block/valueFlow.ts'
export type { JettonBridge } from './config/bridges.ts'
export type { SizeLimits, WorkchainDescription } from './config/chain.ts'
export { precompiledKind, workchainsKind } from './config/chain.ts'
export { type CatchainConfig, type ConsensusConfig, simplexParamsKind } from './config/consensus.ts'
export * from './config/params.ts'
export type { BlockLimits, ForwardPrices, GasPrices, StoragePrices } from './config/prices.ts'
export { storagePricesKind } from './config/prices.ts'
export {
  type ConfigNumber,
  type ConfigValue,
  configParam,
  isConfigNumber,
  loadConfigParam,
  readableParam,
  storeConfigParam,
} from './config/table.ts'
export * from './config/validators.ts'
export { lenientText } from './content/lenientText.ts'
export { snakeBytes, utf8Text } from './content/snake.ts'
export { loadingTokenContent, type TokenContent } from './content/tokenContent.ts'
export * from './currency.ts'
export * from './dns/domain.ts'
export { type DnsRecord, dnsRecords, loadDnsRecord } from './dns/record.ts'
export { fromCell, type Load, type Store, TlbError, toCell } from './fields.ts'
export * from './globalVersion.ts'
export * from './hashUpdate.ts'
export * from './message/addressedAccount.ts'
export * from './message/envelope.ts'
export * from './message/inMsg.ts'
export * from './message/message.ts'
export * from './message/normalizedHash.ts'
export * from './message/outMsg.ts'
export * from './message/ownLibraries.ts'
export * from './message/stateInit.ts'
export * from './signatures.ts'
export * from './staking/elector.ts'
export * from './staking/pool.ts'
export * from './state/masterState.ts'
export * from './state/outQueue.ts'
export * from './state/shardState.ts'
export * from './transaction/description.ts'
export * from './transaction/phases.ts'
export * from './transaction/transaction.ts'
