// The room of metadata: what tokens say of themselves outside of the chain, fetched from wherever their contracts point and
// kept beside them. Whoever makes a token chooses the address, so this room promises that nothing but public hosts is ever
// asked, by no redirect and no trick of names either, and that nobody's answer takes more than a few seconds and a
// megabyte (some more of both for a dictionary of first amounts, which counts when it has the hash the jetton's contract
// names). It is a queue of its own that nobody waits for: the index goes on whatever happens here.

export type { MetadataOptions } from './options.ts'
export { isPublicAddress } from './publicAddress.ts'
export { type Metadata, startMetadata } from './startMetadata.ts'
