// Contracts of the public standards, a folder per family with the code that deploys and calls it: jettons, items and
// collections, sales and auctions, domains, multisig, vesting wallet, nominator pool. Their codes are our own, so they are
// detected by their get-methods.
// To add a contract, write a `.tolk` file and add its path to `compiledDemo.ts`; its imports are in a folder next to it.
// The same sources and compiler give the same code. This room knows no chain and no keys.

export type { OrderPayload } from './body.ts'
export * from './clock/wages.ts'
export { compiledContract, contractCode } from './code.ts'
export { type DemoContract, demoSources } from './compiledDemo.ts'
export { contentKeyOf, linkPart, offChainContent, onChainContent } from './content.ts'
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
