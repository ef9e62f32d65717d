// Every verb with the check that belongs to it, called as of given blocks. Acceptance, tampering and the benchmark go
// through the same list, so that no verb is left out of one of them.

import {
  type AccountId,
  type BlockIdExt,
  type BlockQuery,
  type ListQuery,
  MASTERCHAIN,
  verifyHeader,
  verifyShardBlockProof,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import {
  verifyAccount,
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  verifyConfig,
  verifyLibrariesWithProof,
  verifyLookup,
  verifyOneTransaction,
  verifyPrunedAccount,
  verifyQueueSize,
  verifyShardInfo,
  verifyShards,
  verifyTransactions,
  verifyValidatorStats,
} from '../../../../server/node/verify/index.ts'
import { verifyBlock, verifyBlockProof, verifyLibraries, verifyRunMethod } from '../../../setup/verifyAtOnce.ts'
import type { LiteScene } from './liteScene.ts'

export interface Case<A = unknown> {
  readonly name: string
  readonly ask: () => Promise<A>
  /** Throws ProofError for an answer that must be rejected. */
  readonly verify: (answer: A) => unknown
}

// Kept apart by name only: what `ask` gives is what `verify` takes.
const one = <A>(name: string, ask: () => Promise<A>, verify: (answer: A) => unknown): Case =>
  ({ name, ask, verify }) as Case

export const absentHash = new Uint8Array(32).fill(77)
const SEQNO_METHOD = 85_143

const hex = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 3)).toString('hex')

/** Verbs about an account as of a block. */
export function accountCases({ lite }: LiteScene, id: BlockIdExt, account: AccountId): Case[] {
  const who = `${account.workchain}:${hex(account.hash)}`
  return [
    one(
      `accountState ${who}`,
      () => lite.accountState(id, account),
      (a) => verifyAccount(id, account, a),
    ),
    one(
      `accountStatePruned ${who}`,
      () => lite.accountStatePruned(id, account),
      (a) => verifyPrunedAccount(id, account, a),
    ),
    one(
      `runMethod ${who}`,
      () => lite.runMethod(id, { account, methodId: SEQNO_METHOD, params: new Uint8Array(), mode: 7 }),
      (a) => verifyRunMethod(id, account, a),
    ),
  ]
}

/** The walk back from the last transaction of an account. */
export async function historyCases(scene: LiteScene, id: BlockIdExt, account: AccountId): Promise<Case[]> {
  const { lite } = scene
  const { shardAccount } = verifyAccount(id, account, await lite.accountState(id, account))
  if (shardAccount === null || shardAccount.lastTransLt === 0n) return []
  const { lastTransLt: lt, lastTransHash: hash } = shardAccount
  return [
    one(
      `transactions ${hex(account.hash)}`,
      () => lite.transactions({ account, lt, hash, count: 16 }),
      (a) => verifyTransactions(account, { lt, hash, count: 16 }, a),
    ),
  ]
}

const listQueries = (marks: readonly { readonly account: Uint8Array; readonly lt: bigint }[]): ListQuery[] => {
  const after = marks[Math.floor(marks.length / 2)]
  const base = { wantProof: true }
  const queries: ListQuery[] = [
    { ...base, count: 256 },
    { ...base, count: 2 },
    { ...base, count: 3, reverse: true },
  ]
  if (after !== undefined) queries.push({ ...base, count: 2, after }, { ...base, count: 256, reverse: true, after })
  return queries
}

/** Verbs about the transactions of a block. */
async function transactionCases(scene: LiteScene, id: BlockIdExt): Promise<Case[]> {
  const { lite } = scene
  const touched = await scene.touched(id)
  const marks = touched.flatMap(({ account, lts }) => lts.map((lt) => ({ account: account.hash, lt })))
  const [first] = touched
  const singles = first === undefined ? [] : [first.lts[0] ?? 0n, 5n, (first.lts.at(-1) ?? 0n) + 999n]
  return [
    ...listQueries(marks).flatMap((query, i) => [
      one(
        `listTransactions ${i}`,
        () => lite.listTransactions(id, query),
        (a) => verifyBlockTransactions(id, query, a),
      ),
      one(
        `listTransactionsExt ${i}`,
        () => lite.listTransactionsExt(id, query),
        (a) => verifyBlockTransactionsExt(id, query, a),
      ),
    ]),
    ...singles.map((lt, i) =>
      one(
        `oneTransaction ${i}`,
        () => lite.oneTransaction(id, { account: first?.account ?? { workchain: id.workchain, hash: absentHash }, lt }),
        (a) => verifyOneTransaction(id, first?.account ?? { workchain: id.workchain, hash: absentHash }, lt, a),
      ),
    ),
  ]
}

/** Verbs about a block of either chain. */
async function blockCases(scene: LiteScene, id: BlockIdExt): Promise<Case[]> {
  const { lite } = scene
  const { masterchainId } = await lite.shardBlockProof(id)
  return [
    ...[0, 1, 2, 16, 112, 127].map((mode) =>
      one(
        `header ${mode}`,
        () => lite.header(id, mode),
        (a) => verifyHeader(id, a),
      ),
    ),
    one(
      'block',
      () => lite.block(id),
      (a) => verifyBlock(id, a),
    ),
    one(
      'shardBlockProof',
      () => lite.shardBlockProof(id),
      (a) => {
        verifyShardBlockProof(masterchainId, id, a)
        return masterchainId
      },
    ),
    one(
      'blockQueueSize',
      () => lite.blockQueueSize(id, true),
      (a) => verifyQueueSize(id, a),
    ),
  ]
}

/**
 * Finding a block by each of its marks, as of a masterchain block one trusts. Of several blocks made in one second any may
 * be found.
 */
function lookupCases({ chain, lite }: LiteScene, id: BlockIdExt, known: BlockIdExt): Case[] {
  const facts = chain.reader.byId(id)
  if (facts === undefined) throw new Error('There is no such block')
  const { startLt, endLt, utime } = facts
  const marks = [{ seqno: id.seqno }, { lt: endLt }, { lt: startLt + 1n }, { utime }]
  return marks.map((mark, i) => {
    const query: BlockQuery = { workchain: id.workchain, shard: WHOLE_SHARD, ...mark }
    return one(
      `lookup ${i}`,
      () => lite.lookupWithProof(query, known),
      (a) => {
        const found = verifyLookup(query, known, a)
        return 'utime' in query ? found.info.genUtime : found
      },
    )
  })
}

/** Verbs about a masterchain block, zerostate included, but for those that need a block. */
export function masterCases({ lite }: LiteScene, id: BlockIdExt, libraries: readonly Uint8Array[]): Case[] {
  const params = [8, 34, 12, 999]
  return [
    one(
      'config all',
      () => lite.config(id, 'all'),
      (a) => verifyConfig(id, 'all', a).params,
    ),
    one(
      'config some',
      () => lite.config(id, params),
      (a) => verifyConfig(id, params, a).params,
    ),
    one(
      'config parts',
      () => lite.config(id, [], 1023),
      (a) => verifyConfig(id, [], a).params,
    ),
    ...[WHOLE_SHARD, 1n << 62n].flatMap((shard) =>
      [true, false].map((exact) =>
        one(
          `shardInfo ${shard} ${exact}`,
          () => lite.shardInfo(id, { workchain: 0, shard, exact }),
          (a) => verifyShardInfo(id, { workchain: 0, shard }, exact, a),
        ),
      ),
    ),
    ...[0, 1, 2].map((mode) =>
      one(
        `librariesWithProof ${mode}`,
        () => lite.librariesWithProof(id, libraries, mode),
        (a) => verifyLibrariesWithProof(id, libraries, a),
      ),
    ),
    ...(id.seqno === 0 ? [] : afterGenesisCases({ lite }, id)),
  ]
}

function afterGenesisCases({ lite }: Pick<LiteScene, 'lite'>, id: BlockIdExt): Case[] {
  const query = { limit: 1 }
  return [
    one(
      'shards',
      () => lite.shards(id),
      (a) => verifyShards(id, a),
    ),
    one(
      'validatorStats',
      () => lite.validatorStats(id, query),
      (a) => verifyValidatorStats(id, query, a),
    ),
    one(
      'validatorStats all',
      () => lite.validatorStats(id, { limit: 100 }),
      (a) => verifyValidatorStats(id, { limit: 100 }, a),
    ),
  ]
}

/** The chain of trust from one masterchain block to another. */
export const chainCase = ({ lite }: LiteScene, known: BlockIdExt, target: BlockIdExt | null): Case =>
  one(
    `blockProof ${known.seqno} to ${target?.seqno ?? 'newest'}`,
    () => lite.blockProof(known, target),
    (a) => verifyBlockProof(known, target, a),
  )

/** Public libraries of the newest state. Which ones there are is not proven, only that each is what its hash says. */
export const libraryCase = ({ lite }: LiteScene, hashes: readonly Uint8Array[]): Case =>
  one(
    'libraries',
    () => lite.libraries(hashes),
    (a) => [...verifyLibraries(hashes, a)].filter(([hash, library]) => library.hashHex() !== hash),
  )

/** Hashes of all public libraries, and one of none. */
export const librariesOf = ({ chain }: LiteScene): Uint8Array[] => [
  ...[...chain.reader.moment().master.details.libraries.keys()].slice(0, 3),
  absentHash,
]

/** What there is to ask about one block. */
export async function casesAt(scene: LiteScene, id: BlockIdExt, known: BlockIdExt): Promise<Case[]> {
  const accounts = (await scene.touched(id)).map(({ account }) => account).slice(0, 4)
  const absent = { workchain: id.workchain, hash: absentHash }
  const cases = [
    ...(await blockCases(scene, id)),
    ...(await transactionCases(scene, id)),
    ...lookupCases(scene, id, known),
    ...[...accounts, absent].flatMap((account) => accountCases(scene, id, account)),
  ]
  if (id.workchain !== MASTERCHAIN) return cases
  return [...cases, ...masterCases(scene, id, librariesOf(scene))]
}
