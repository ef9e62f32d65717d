// What a client checks of each answer of a recorded session, and the checked values it is left with.

import {
  type BlockIdExt,
  configParts,
  type HistoryQuery,
  headerParts,
  isSameBlock,
  MASTERCHAIN,
  type MethodQuery,
  ProofError,
  type ShardQuery,
  verifyHeader,
  verifyShardBlockProof,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import {
  stateHashOf,
  verifyAccount,
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  verifyConfig,
  verifyLibrariesWithProof,
  verifyLookup,
  verifyOneTransaction,
  verifyPreviousBlocks,
  verifyPrunedAccount,
  verifyQueueSize,
  verifyShardInfo,
  verifyShards,
  verifyState,
  verifyTransactions,
  verifyValidatorStats,
} from '../../../../server/node/verify/index.ts'
import type { Verb } from '../../../setup/lyingServer.ts'
import type { RecordedCall } from '../../../setup/recordedSession.ts'
import { verifyBlock, verifyBlockProof, verifyLibraries, verifyRunMethod } from '../../../setup/verifyAtOnce.ts'

/** What is known for certain before an answer comes: names that other answers proved. */
export interface KnownNames {
  readonly zerostates: ReadonlyMap<string, BlockIdExt>
  /** Of the masterchain. */
  readonly bySeqno: ReadonlyMap<number, BlockIdExt>
  /** By root hash: the last key block at or before, and the hash of the state. */
  readonly keyBlocks: ReadonlyMap<string, BlockIdExt>
  readonly stateHashes: ReadonlyMap<string, Uint8Array>
}

const nameOf = ({ rootHash }: BlockIdExt): string => Buffer.from(rootHash).toString('hex')

/** Collected from headers and look-ups, which prove themselves. */
export function namesOf(calls: readonly RecordedCall[]): KnownNames {
  const bySeqno = new Map<number, BlockIdExt>()
  const keyBlocks = new Map<string, BlockIdExt>()
  const stateHashes = new Map<string, Uint8Array>()
  const prevKeys = new Map<string, number>()
  const zerostates = new Map<string, BlockIdExt>()
  for (const { verb, args, answer } of calls) {
    if (answer instanceof Error) continue
    const [id] = args as [BlockIdExt]
    if (verb === 'state' && id.seqno === 0) zerostates.set(nameOf(id), id)
    if (verb === 'lookupWithProof') {
      const [query, known] = args as [Parameters<typeof verifyLookup>[0], BlockIdExt]
      const { id: found } = verifyLookup(query, known, answer as never)
      if (found.workchain === MASTERCHAIN) bySeqno.set(found.seqno, found)
    }
    if (verb === 'blockProof')
      for (const { to } of (answer as { steps: readonly { to: BlockIdExt }[] }).steps) bySeqno.set(to.seqno, to)
    if (verb !== 'header') continue
    const found = verifyHeader(id, answer as never)
    if (id.workchain === MASTERCHAIN) bySeqno.set(id.seqno, id)
    prevKeys.set(nameOf(id), found.info.keyBlock ? id.seqno : found.info.prevKeyBlockSeqno)
    if ((Number(args[1]) & headerParts.stateUpdate) !== 0)
      stateHashes.set(nameOf(id), Buffer.from(stateHashOf(found), 'latin1'))
  }
  for (const [name, seqno] of prevKeys) {
    const key = bySeqno.get(seqno)
    if (key !== undefined) keyBlocks.set(name, key)
  }
  return { bySeqno, keyBlocks, stateHashes, zerostates }
}

type Check = (args: never, answer: never, names: KnownNames) => unknown
const check = <Args extends readonly unknown[], Answer>(
  verify: (args: Args, answer: Answer, names: KnownNames) => unknown,
): Check => verify as unknown as Check

/** Arguments and answer of a verify function whose arguments are those of the verb. */
type Of<Verify extends (...given: never) => unknown> =
  Parameters<Verify> extends readonly [...infer Args, infer Answer] ? readonly [Args, Answer] : never
const plain = <Verify extends (...given: never) => unknown>(verify: Verify): Check =>
  check((args: Of<Verify>[0], answer: Of<Verify>[1]) =>
    (verify as unknown as (...given: readonly unknown[]) => unknown)(...args, answer),
  )

const proven = (query: { wantProof?: boolean }) => ({ ...query, wantProof: true })

export const CHECKS: Partial<Record<Verb, Check>> = {
  masterchainInfo: check((_args: [], { last, init }: { last: BlockIdExt; init: BlockIdExt }, { bySeqno }) => {
    const known = bySeqno.get(last.seqno)
    const zerostate = { ...init, shard: WHOLE_SHARD, seqno: 0 }
    if (known === undefined || !isSameBlock(known, last) || !isSameBlock(bySeqno.get(0) ?? last, zerostate))
      throw new ProofError('answer', 'another chain')
    return [last, init]
  }),
  blockProof: check(([known, target]: [BlockIdExt, BlockIdExt | null], answer: never, { bySeqno }) => {
    const { utime: _utime, ...chain } = verifyBlockProof(known, target, answer)
    // To the newest there is no target to compare with: a chain that stops early is continued by the next query.
    return target === null ? [bySeqno.has(chain.block.seqno)] : chain
  }),
  header: check(([id]: [BlockIdExt], answer: never) => verifyHeader(id, answer)),
  lookup: check((_args: readonly unknown[], answer: { id: BlockIdExt }) => {
    const { id, info } = verifyHeader(answer.id, answer as never)
    return [id.workchain, id.shard, id.seqno, id.rootHash, info]
  }),
  lookupWithProof: plain(verifyLookup),
  block: check(([id]: [BlockIdExt], boc: Uint8Array) => verifyBlock(id, boc).root),
  shards: plain(verifyShards),
  shardInfo: check(([id, query]: [BlockIdExt, ShardQuery], answer: never) =>
    verifyShardInfo(id, query, query.exact, answer),
  ),
  shardBlockProof: check(([id]: [BlockIdExt], answer: { masterchainId: BlockIdExt }, { bySeqno }) => {
    verifyShardBlockProof(answer.masterchainId, id, answer as never)
    const known = bySeqno.get(answer.masterchainId.seqno)
    if (known !== undefined && !isSameBlock(known, answer.masterchainId))
      throw new ProofError('link', 'another masterchain block')
    return known === undefined ? null : answer.masterchainId
  }),
  listTransactions: check(([id, query]: [BlockIdExt, { count: number; wantProof?: boolean }], answer: never) =>
    verifyBlockTransactions(id, proven(query) as never, answer),
  ),
  listTransactionsExt: check(([id, query]: [BlockIdExt, { count: number; wantProof?: boolean }], answer: never) =>
    verifyBlockTransactionsExt(id, proven(query) as never, answer),
  ),
  accountState: plain(verifyAccount),
  accountStatePruned: plain(verifyPrunedAccount),
  runMethod: check(([id, { account }]: [BlockIdExt, MethodQuery], answer: never) =>
    verifyRunMethod(id, account, answer),
  ),
  transactions: check(([query]: [HistoryQuery], answer: never) => verifyTransactions(query.account, query, answer)),
  oneTransaction: check(([id, { account, lt }]: [BlockIdExt, Pick<HistoryQuery, 'account' | 'lt'>], answer: never) =>
    verifyOneTransaction(id, account, lt, answer),
  ),
  config: check(([id, wanted, mode]: [BlockIdExt, 'all', number], shown: object, { keyBlocks }) => {
    const answer = { ...shown, mode } as never
    const isOfKeyBlock = (mode & configParts.fromKeyBlock) !== 0
    const of = isOfKeyBlock ? keyBlocks.get(nameOf(id)) : id
    if (of === undefined) throw new ProofError('answer', 'the key block is not known')
    const { params } = verifyConfig(of, wanted, answer)
    return [...params, mode & configParts.previousBlocks && !isOfKeyBlock ? verifyPreviousBlocks(id, answer) : null]
  }),
  state: check(([id]: [BlockIdExt], { data }: { data: Uint8Array }, { stateHashes }) => {
    const hash = id.seqno === 0 ? id.rootHash : stateHashes.get(nameOf(id))
    if (hash === undefined) throw new ProofError('answer', 'the hash of the state is not known')
    return verifyState(id, hash, data)
  }),
  blockQueueSize: check(([id]: [BlockIdExt], answer: never) => verifyQueueSize(id, answer)),
  validatorStats: plain(verifyValidatorStats),
  librariesWithProof: check(([id, hashes, mode]: [BlockIdExt, readonly Uint8Array[], number], shown: object) =>
    verifyLibrariesWithProof(id, hashes, { ...shown, mode } as never),
  ),
  libraries: plain(verifyLibraries),
}
