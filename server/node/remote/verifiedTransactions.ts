// Transactions of a verified lite server.

import { hashFromBytes } from '../../cell/index.ts'
import { type AccountId, type BlockIdExt, isSameBlock } from '../blockId.ts'
import type { ListQuery, LiteServer } from '../liteServer.ts'
import {
  ProofError,
  readAhead,
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  verifyOneTransaction,
  verifyTransactions,
} from '../verify/index.ts'
import { type BlockFinder, blockWith, type FindOptions } from './blockFinder.ts'
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

interface NamedPlace {
  /** The block it is said to be in. */
  readonly id: BlockIdExt | undefined
  readonly lt: bigint
}

interface NamedBlock {
  readonly id: BlockIdExt
  /** Of the transactions that are said to be in it. */
  readonly lts: bigint[]
}

/** Throws ProofError where a block has two names. */
function namedBlocks(found: readonly NamedPlace[]): Iterable<NamedBlock> {
  const blocks = new Map<string, NamedBlock>()
  for (const { id, lt } of found) {
    if (id === undefined) throw new ProofError('answer', 'a transaction without a block')
    const key = hashFromBytes(id.rootHash)
    const block = blocks.get(key) ?? { id, lts: [] }
    if (!isSameBlock(id, block.id)) throw new ProofError('answer', 'two names of one block')
    block.lts.push(lt)
    blocks.set(key, block)
  }
  return blocks.values()
}

/** Each named block must be the one its shard has at the lt of these transactions. Rejects with LiteError or ProofError. */
async function demandBlocks(
  finder: BlockFinder,
  { workchain, hash }: AccountId,
  found: readonly NamedPlace[],
  options: FindOptions,
): Promise<void> {
  const check = async ({ id, lts }: NamedBlock): Promise<void> => {
    const [first = 0n] = lts
    const own = await finder.find(blockWith({ account: { workchain, hash }, lt: first }), options)
    const { startLt, endLt } = own.info
    if (!isSameBlock(own.id, id) || !lts.every((lt) => lt > startLt && lt < endLt))
      throw new ProofError('transaction', 'a transaction is said to be in another block than it is')
  }
  await Promise.all([...namedBlocks(found)].map(check))
}

export function verifiedTransactions({ on, search, finder }: VerifiedTools): Transactions {
  return {
    transactions: (query, options) =>
      search(blockWith(query), undefined, options, async (server) => {
        const answer = await server.transactions(query, options)
        const verified = verifyTransactions(query.account, query, await readAhead(answer, options))
        const found = verified.map(({ transaction }, i) => ({ id: answer.ids[i], lt: transaction.lt }))
        await demandBlocks(finder, query.account, found, { ...options, server })
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
