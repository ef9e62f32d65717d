// The contracts of the public standards, a folder for each family with what deploys and drives it: jettons, items and their
// collections, sales and auctions, domains, the multisig, the vesting wallet, the pool of nominators. Their codes are our
// own: what they are is found out by their get-methods.
// A new contract is a `.tolk` file and its path in `compiled.ts`; what it imports stands in a folder beside it.
// This room promises the same code for the same sources and compiler. It knows no chain and no keys.

export type { Payload } from './body.ts'
export * from './clock/wages.ts'
export { compiledContract, contractCode } from './code.ts'
export { type ContractName, tolkContracts } from './compiled.ts'
export { keyOf, linkPart, offChainContent, onChainContent } from './content.ts'
export * from './dns/dns.ts'
export * from './dns/records.ts'
export * from './jetton/jetton.ts'
export * from './multisig/multisig.ts'
export * from './nft/nft.ts'
export * from './sale/nameItem.ts'
export * from './sale/sale.ts'
export * from './staking/pool.ts'
export * from './subscription/subscription.ts'
export * from './vesting/vesting.ts'
