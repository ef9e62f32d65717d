// Accounts as of a block: the full state, or a proof of it without code and data.

import { type Cell, CellUsage, openCell, type PlannedProof } from '../../cell/index.ts'
import {
  type AccountId,
  type AccountStateAnswer,
  type BlockIdExt,
  LiteError,
  MASTERCHAIN,
  NO_BLOCK,
  prefixOf,
  shardHolds,
} from '../../node/index.ts'
import { accountsOf, loadAccount, type ShardAccount, topShardOf } from '../../tlb/index.ts'
import { isSameBlock } from '../state/index.ts'
import type { ChainSource, Located } from './chainSource.ts'
import { checkAccount } from './checkQuery.ts'
import { NO_PROOF, pairBoc, proveState, proveStateHash, proveWhile, toAnyBoc, toBoc } from './proofs.ts'
import { proveShard } from './shards.ts'

/** An account with the proofs that lead to it. */
export interface FoundAccount {
  /** Where its state is from; null when no shard is responsible. */
  readonly located: Located | null
  readonly account: ShardAccount | null
  readonly answer: Omit<AccountStateAnswer, 'state'>
}

/** Only masterchain blocks register blocks of other chains. */
function checkMayRegister({ id }: Located): void {
  if (id.workchain !== MASTERCHAIN)
    throw new LiteError('badQuery', 'reference block for a getAccountState() must belong to the masterchain')
}

/** The block whose state has the account, with the proof that the given block registers it. */
async function blockOf(
  source: ChainSource,
  base: Located,
  account: AccountId,
): Promise<{ readonly located: Located | null; readonly shardProof: Uint8Array }> {
  const { workchain } = base.id
  if (workchain === account.workchain) return { located: base, shardProof: NO_PROOF }
  checkMayRegister(base)
  const wanted = { workchain: account.workchain, shard: prefixOf(account.hash) }
  const { root } = await source.state(base)
  const known = shardProofs.get(root)
  if (known?.id.workchain === wanted.workchain && shardHolds(known.id.shard, wanted.shard))
    return { located: source.locate(known.id), shardProof: known.shardProof }
  const proven = await proveShard(source, base, wanted)
  const shardProof = pairBoc(proven)
  if (proven.value === null) return { located: null, shardProof }
  const { id } = proven.value
  shardProofs.set(root, { id, shardProof })
  return { located: source.locate(id), shardProof }
}

/** By the root of the masterchain's state: the same for every account of a shard. */
const shardProofs = new WeakMap<Cell, { readonly id: BlockIdExt; readonly shardProof: Uint8Array }>()

/** The account without a proof. */
export async function readShardAccount(
  source: ChainSource,
  id: BlockIdExt,
  account: AccountId,
): Promise<Pick<FoundAccount, 'located' | 'account'>> {
  checkAccount(account)
  const base = source.locate(id)
  const located = base.id.workchain === account.workchain ? base : await registeredFor(source, base, account)
  const state = located === null ? null : await source.state(located)
  return { located, account: state?.accounts.get(account.hash) ?? null }
}

async function registeredFor(source: ChainSource, base: Located, account: AccountId): Promise<Located | null> {
  checkMayRegister(base)
  const { extra } = await source.masterState(base)
  const top = topShardOf(extra.shardHashes, { workchain: account.workchain, shard: prefixOf(account.hash) })
  return top === null ? null : source.locate(top.id)
}

/** What the proofs of all accounts of a state have in common. */
interface ProvenState {
  readonly root: Cell
  /** Null for a zerostate. */
  readonly blockProof: Cell | null
  readonly opened: CellUsage
  readonly accounts: ReturnType<typeof accountsOf>
}

/** By the root of the state. */
const provenStates = new WeakMap<Cell, ProvenState>()

async function provenState(source: ChainSource, located: Located): Promise<ProvenState> {
  const { root } = await source.state(located)
  const known = provenStates.get(root)
  if (known !== undefined) return known
  const blockProof = located.facts === null ? null : proveStateHash(await source.blockRoot(located))
  const { proof, value: accounts } = proveState(root, accountsOf)
  const proven = { root, blockProof, opened: proof.usage, accounts }
  provenStates.set(root, proven)
  return proven
}

interface ReadAccount {
  readonly account: ShardAccount | null
  readonly proof: PlannedProof
}

function readAccount({ root, opened, accounts }: ProvenState, hash: Uint8Array): ReadAccount {
  const usage = new CellUsage()
  const account = usage.run(() => accounts.get(hash)) ?? null
  usage.include(opened)
  return { account, proof: { root, usage } }
}

const proofOf = ({ blockProof }: ProvenState, { proof: stateProof }: ReadAccount): Uint8Array =>
  pairBoc({ blockProof, stateProof, value: null })

export async function findAccount(source: ChainSource, id: BlockIdExt, account: AccountId): Promise<FoundAccount> {
  checkAccount(account)
  const { located, shardProof } = await blockOf(source, source.locate(id), account)
  if (located === null)
    return { located, account: null, answer: { id, shardBlock: NO_BLOCK, shardProof, proof: NO_PROOF } }
  const state = await provenState(source, located)
  const read = readAccount(state, account.hash)
  const answer = { id, shardBlock: located.id, shardProof, proof: proofOf(state, read) }
  return { located, account: read.account, answer }
}

/** The account's cell without code, data and libraries, whose references are not read. */
export const withoutCode = (account: Cell): Uint8Array =>
  toBoc(proveWhile(account, () => loadAccount(openCell(account))).proof)

export async function proveAccountState(
  source: ChainSource,
  id: BlockIdExt,
  wanted: AccountId,
  pruned: boolean,
): Promise<AccountStateAnswer> {
  const { account, answer } = await findAccount(source, id, wanted)
  if (account === null) return { ...answer, state: NO_PROOF }
  const state = pruned ? withoutCode(account.account) : await toAnyBoc(source, account.account)
  return { ...answer, state }
}

/** Cells of an account that is answered at once; larger ones take longer to write than to find in a cache. */
const FEW_CELLS = 64

function countCells(cell: Cell, most: number): number {
  let count = 1
  for (const ref of cell.refs) {
    if (count > most) break
    count += countCells(ref, most - count)
  }
  return count
}

/** An account as of one of the newest blocks, when other accounts of its state were read; null where it has to be waited for. */
export function accountAtOnce(
  { reader }: ChainSource,
  id: BlockIdExt,
  { workchain, hash }: AccountId,
): AccountStateAnswer | null {
  const moment = id.workchain === MASTERCHAIN && hash.length === 32 ? reader.inMemory(id.seqno) : undefined
  if (moment === undefined || !isSameBlock(moment.master.id, id)) return null
  const { master, shard } = moment
  const isMaster = workchain === MASTERCHAIN
  const registered = isMaster ? { id: master.id, shardProof: NO_PROOF } : shardProofs.get(master.root)
  const { id: shardBlock, root } = isMaster ? master : shard
  if (registered === undefined || workchain !== shardBlock.workchain || !isSameBlock(registered.id, shardBlock))
    return null
  const state = provenStates.get(root)
  if (state === undefined) return null
  const read = readAccount(state, hash)
  const cell = read.account?.account ?? null
  if (cell !== null && countCells(cell, FEW_CELLS) > FEW_CELLS) return null
  const { shardProof } = registered
  return { id, shardBlock, shardProof, proof: proofOf(state, read), state: cell === null ? NO_PROOF : toBoc(cell) }
}
