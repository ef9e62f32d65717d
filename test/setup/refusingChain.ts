import type { Chain } from '../../server/node/index.ts'

/** A chain that cannot be reached: every verb rejects with what `refusal` returns. */
export function createRefusingChain(refusal: () => Error): Chain {
  const refuse = (): Promise<never> => Promise.reject(refusal())
  return {
    traits: { canRewind: false, firstSeqno: null, messageLifetimeMs: 0, isPublic: true },
    proofs: { stepsBack: refuse, signatures: refuse, shardBlock: refuse },
    head: refuse,
    find: refuse,
    idOf: refuse,
    header: refuse,
    block: refuse,
    state: refuse,
    account: refuse,
    transactions: refuse,
    listTransactions: refuse,
    blockTransactions: refuse,
    config: refuse,
    previousBlocks: refuse,
    libraries: refuse,
    shards: refuse,
    queueSizes: refuse,
    send: refuse,
    onHead: () => () => undefined,
  }
}
