// The room of metadata: off-chain content of tokens, fetched from the address in their contracts and stored with them.
// The maker of a token chooses the address, so this room promises that only public hosts are ever contacted, also after
// redirects and by names that resolve to private addresses, and that a response takes at most a few seconds and a
// megabyte (some more of both for an airdrop's dictionary, which counts only with the hash that the jetton's contract
// names). Pictures are up to two megabytes, for callers who wait for them. It has a queue of its own: the index never waits for it.

export { codeOfStatus, FetchError } from './fetchError.ts'
export { fetchPublic } from './fetchPublic.ts'
export { createPictures } from './pictures.ts'
export { startMetadata } from './startMetadata.ts'
