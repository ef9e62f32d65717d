// Get-methods on the state after a block, run in the TVM's threads, with proofs of the account they ran on.

import { beginCell, type Cell, isLargeTree, openCell, wrapProof } from '../../cell/index.ts'
import {
  type BlockIdExt,
  checkMethodQuery,
  type LiteOptions,
  liteErrorOfRun,
  MASTERCHAIN,
  type MethodQuery,
  NO_BLOCK,
  type RunMethodAnswer,
  runParts,
} from '../../node/index.ts'
import { type Account, loadAccount, type OwnLibraries, ownLibraries } from '../../tlb/index.ts'
import { type GetMethodResult, type LibrariesForm, TvmError, type TvmPool } from '../../tvm/index.ts'
import { configOfMaster, type PreviousBlocksText, publicLibraries } from '../collate/index.ts'
import type { MasterState } from '../state/index.ts'
import { findAccount, readShardAccount, withoutCode } from './accounts.ts'
import type { ChainSource, Located } from './chainSource.ts'
import { NO_PROOF, toAnyBoc, toBoc } from './proofs.ts'

export interface RunQuery extends MethodQuery {
  readonly id: BlockIdExt
}

/** What lite servers allow a get-method. */
const GAS_LIMIT = 300_000n
const NO_ACTIVE_ACCOUNT = -256

const EMPTY_STACK = toBoc(beginCell().storeUint(0, 24).end())

/** The masterchain state of the block, or the one a shard block refers to. */
async function masterOf(source: ChainSource, base: Located, at: Located): Promise<MasterState> {
  if (base.id.workchain === MASTERCHAIN) return await source.masterState(base)
  const { details } = await source.state(at)
  return await source.masterState(source.at(MASTERCHAIN, details.masterRef?.seqno ?? 0))
}

/** A library may need another one: each costs another run. */
const MOST_ROUNDS = 8

/**
 * Of many libraries, and next to those of the contract's own, a run is given those that it turns out to need; all of many once it
 * needs one that does not exist.
 */
async function withLibraries(
  source: ChainSource,
  { master, own }: { readonly master: MasterState; readonly own: OwnLibraries },
  run: (libs: LibrariesForm | null) => Promise<GetMethodResult>,
): Promise<GetMethodResult> {
  const { libraries } = master.details
  const all = async () => await run(await publicLibraries(libraries.root, source.slicing))
  if (own.isEmpty && (libraries.root === null || !isLargeTree(libraries.root))) return await all()
  let some = own
  for (let round = 1; ; round++) {
    const { root } = some
    const result = await run(root === null ? null : await toAnyBoc(source, root))
    const { missingLibrary } = result
    if (missingLibrary === null) return result
    const hash = Buffer.from(missingLibrary, 'hex')
    const found = round < MOST_ROUNDS ? libraries.get(hash) : undefined
    if (found === undefined) return own.isEmpty ? await all() : result
    some = some.set(hash, { isPublic: false, root: found.library })
  }
}

const refusal = (error: unknown): unknown => (error instanceof TvmError ? liteErrorOfRun(error) : error)

/** The account's proof: all of it when a method ran, because the TVM does not report which cells it opened. */
const stateProof = async (source: ChainSource, account: Cell, ran: boolean): Promise<Uint8Array> =>
  ran ? await toAnyBoc(source, wrapProof(account)) : withoutCode(account)

/** Who waits for a run, and whose part of the threads it has. */
type RunOptions = Pick<LiteOptions, 'signal' | 'share'>

export interface LiteRunTools {
  readonly pool: TvmPool
  readonly previousBlocks: PreviousBlocksText
}

interface Run {
  readonly located: Located
  readonly account: Account
}

async function run(
  source: ChainSource,
  { pool, previousBlocks }: LiteRunTools,
  query: RunQuery,
  { located, account }: Run,
  options: RunOptions,
): Promise<GetMethodResult | null> {
  const { state, balance } = account.storage
  if (state.kind !== 'active' || state.init.code === null) return null
  const { code, data, library } = state.init
  const { workchain, hash } = query.account
  const master = await masterOf(source, source.locate(query.id), located)
  const { utime } = await source.state(located)
  const extraCurrencies = Object.fromEntries([...balance.other])
  const config = configOfMaster(master)
  const wanted = {
    code: await toAnyBoc(source, code),
    data: await toAnyBoc(source, data ?? beginCell().end()),
    stack: query.params.length === 0 ? EMPTY_STACK : query.params,
    methodId: query.methodId,
    address: `${workchain}:${Buffer.from(hash).toString('hex')}`,
    balance: balance.grams,
    extraCurrencies,
    now: utime,
    gasLimit: GAS_LIMIT,
    prevBlocks: previousBlocks.of(master),
  }
  try {
    const given = { master, own: ownLibraries(library) }
    return await withLibraries(source, given, (libs) => pool.runGetMethod(config, { ...wanted, libs }, options))
  } catch (error) {
    throw refusal(error)
  }
}

/** Bits of the byte that follows the magic number of a bag of cells. */
const WITH_CHECKSUM = 0x40
const CHECKSUM_BYTES = 4

/** As lite servers give it, without the checksum that the emulator ends it with. */
function stackBytes({ stack }: GetMethodResult): Uint8Array {
  const boc = Buffer.from(stack, 'base64')
  const flags = boc[4] ?? 0
  if ((flags & WITH_CHECKSUM) === 0) return boc
  boc[4] = flags & ~WITH_CHECKSUM
  return boc.subarray(0, -CHECKSUM_BYTES)
}

export async function runLiteMethod(
  source: ChainSource,
  tools: LiteRunTools,
  query: RunQuery,
  options: RunOptions,
): Promise<RunMethodAnswer> {
  const { id, mode } = query
  checkMethodQuery(query)
  const wants = (part: keyof typeof runParts): boolean => (mode & runParts[part]) !== 0
  const proven = wants('proof') ? await findAccount(source, id, query.account) : null
  const { located, account: found } = proven ?? (await readShardAccount(source, id, query.account))
  const account = found === null ? null : loadAccount(openCell(found.account))
  const result =
    account === null || located === null ? null : await run(source, tools, query, { located, account }, options)
  return {
    mode,
    id,
    shardBlock: located?.id ?? NO_BLOCK,
    shardProof: proven?.answer.shardProof ?? NO_PROOF,
    proof: proven?.answer.proof ?? NO_PROOF,
    stateProof:
      wants('stateProof') && found !== null ? await stateProof(source, found.account, result !== null) : NO_PROOF,
    initC7: NO_PROOF,
    libExtras: NO_PROOF,
    exitCode: result?.exitCode ?? NO_ACTIVE_ACCOUNT,
    result: wants('result') && result !== null ? stackBytes(result) : NO_PROOF,
  }
}
