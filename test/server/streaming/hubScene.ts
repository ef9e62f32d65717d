// What a hub of streams is given in tests without a chain: a block with one trace, and subscribers to it.

import { inOnePiece } from '../../../server/cell/index.ts'
import { readingSubscription } from '../../../server/streaming/readSubscription.ts'

export const HASH = Buffer.alloc(32, 7)

/** Of a block, without its number and its traces. */
export const rowsOfBlock = {
  rootHash: HASH,
  utime: 1,
  blocks: [{ workchain: -1, fileHash: HASH }],
  transactions: [],
  actions: [],
  jettonWallets: [],
  changed: [],
}

/** A trace of block 5 alone. */
export const wholeTrace = { externalHash: HASH, traceId: HASH, mcSeqnoStart: 5, mcSeqnoEnd: 5, state: 'complete' }

/** What a subscriber to that trace asks for. */
export const ofTrace = { types: ['trace'], trace_external_hash_norms: [HASH.toString('base64')] }

export const subscriptionTo = (request: object) =>
  inOnePiece(readingSubscription(request, { transport: 'sse', actionsVersion: null, maxAddresses: 10 }))

/** A feed whose head is block 4, with these items behind it and then nothing more. */
export const feedOf = (...items: readonly object[]) => ({
  head: () => ({ seqno: 4, rootHash: HASH }),
  onPrepared: () => () => undefined,
  async *from(_: number, { signal }: { readonly signal: AbortSignal }) {
    yield* items
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  },
})
