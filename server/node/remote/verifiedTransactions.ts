// Transactions of a verified lite server.

import { type AccountId, type BlockIdExt, isSameBlock, prefixOf } from '../blockId.ts'
import type { ListQuery, LiteServer } from '../liteServer.ts'
import {
  ProofError,
  readAhead,
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  verifyOneTransaction,
  verifyTransactions,
} from '../verify/index.ts'
import type { FindOptions } from './blockFinder.ts'
import { bitIf, type VerifiedTools } from './verifiedTools.ts'

type Transactions = Pick<LiteServer, 'transactions' | 'oneTransaction' | 'listTransactions' | 'listTransactionsExt'>

const EMPTY = new Uint8Array(0)
/** Bits of a list's mode. Metadata is left out, as no proof covers it. */
const listParts = { ids: 7, proof: 32, reverse: 64, after: 128 } as const

const modeOf = ({ wantProof, reverse, after }: ListQuery): number =>
  listParts.ids |
  bitIf(listParts.proof, wantProof) |
  bitIf(listParts.reverse, reverse) |
  bitIf(listParts.after, after !== undefined)

const shownProof = ({ wantProof }: ListQuery, proof: Uint8Array): Uint8Array => (wantProof === true ? proof : EMPTY)

const provenQuery = ({ wantMetadata: _, ...query }: ListQuery): ListQuery => ({ ...query, wantProof: true })

export function verifiedTransactions({ on, finder }: VerifiedTools): Transactions {
  /** Each named block must be the one its shard has at the lt of these transactions. */
  const demandBlocks = async (
    { workchain, hash }: AccountId,
    found: readonly { readonly id: BlockIdExt | undefined; readonly lt: bigint }[],
    options: FindOptions,
  ): Promise<void> => {
    const groups = new Map<string, { id: BlockIdExt | undefined; lts: bigint[] }>()
    for (const { id, lt } of found) {
      const key = Buffer.from(id?.rootHash ?? EMPTY).toString('latin1')
      const group = groups.get(key) ?? { id, lts: [] }
      if (id === undefined || group.id === undefined || !isSameBlock(id, group.id))
        throw new ProofError('answer', 'two names of one block')
      group.lts.push(lt)
      groups.set(key, group)
    }
    await Promise.all(
      [...groups.values()].map(async ({ id, lts: [first = 0n, ...more] }) => {
        const own = await finder.find({ workchain, shard: prefixOf(hash) | 1n, lt: first }, options)
        const { startLt, endLt } = own.info
        const isIt = id !== undefined && isSameBlock(own.id, id)
        if (!isIt || ![first, ...more].every((lt) => lt > startLt && lt < endLt))
          throw new ProofError('transaction', 'a transaction is said to be in another block than it is')
      }),
    )
  }
  return {
    transactions: (query, options) =>
      on(undefined, options, async (server) => {
        const answer = await server.transactions(query, options)
        const verified = verifyTransactions(query.account, query, await readAhead(answer, options))
        const found = verified.map(({ transaction }, i) => ({ id: answer.ids[i], lt: transaction.lt }))
        await demandBlocks(query.account, found, { ...options, server })
        return answer
      }),
    oneTransaction: (id, query, options) =>
      on(id, options, async (server) => {
        const answer = await server.oneTransaction(id, query, options)
        verifyOneTransaction(id, query.account, query.lt, await readAhead(answer, options))
        return answer
      }),
    listTransactions: (id, query, options) =>
      on(id, options, async (server) => {
        const proven = provenQuery(query)
        const answer = await server.listTransactions(id, proven, options)
        verifyBlockTransactions(id, proven, await readAhead(answer, options))
        const ids = answer.ids.map((one) => ({ ...one, mode: modeOf(query), metadata: null }))
        return { ...answer, ids, requestedCount: query.count, proof: shownProof(query, answer.proof) }
      }),
    listTransactionsExt: (id, query, options) =>
      on(id, options, async (server) => {
        const proven = { ...query, wantProof: true }
        const answer = await server.listTransactionsExt(id, proven, options)
        verifyBlockTransactionsExt(id, proven, await readAhead(answer, options))
        return { ...answer, requestedCount: query.count, proof: shownProof(query, answer.proof) }
      }),
  }
}
