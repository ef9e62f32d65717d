// Accounts as of a block: the full state, or a proof of it without code and data.

import { type Cell, openCell } from '../../cell/index.ts'
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
import { accountsOf, loadAccount, type ShardAccount, type ShardState, topShardOf } from '../../tlb/index.ts'
import type { ChainSource, Located } from './chainSource.ts'
import { checkAccount } from './checkQuery.ts'
import { NO_PROOF, pairBoc, proveAfter, proveWhile, toAnyBoc } from './proofs.ts'
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

export async function findAccount(source: ChainSource, id: BlockIdExt, account: AccountId): Promise<FoundAccount> {
  checkAccount(account)
  const { located, shardProof } = await blockOf(source, source.locate(id), account)
  if (located === null)
    return { located, account: null, answer: { id, shardBlock: NO_BLOCK, shardProof, proof: NO_PROOF } }
  const proven = await proveAfter(source, located, (state: ShardState) => accountsOf(state).get(account.hash) ?? null)
  const answer = { id, shardBlock: located.id, shardProof, proof: pairBoc(proven) }
  return { located, account: proven.value, answer }
}

/** The account's cell without code, data and libraries, whose references are not read. */
const withoutCode = (account: Cell): Cell => proveWhile(account, () => loadAccount(openCell(account))).proof

export async function proveAccountState(
  source: ChainSource,
  id: BlockIdExt,
  wanted: AccountId,
  pruned: boolean,
): Promise<AccountStateAnswer> {
  const { account, answer } = await findAccount(source, id, wanted)
  if (account === null) return { ...answer, state: NO_PROOF }
  const cell = pruned ? withoutCode(account.account) : account.account
  return { ...answer, state: await toAnyBoc(source, cell) }
}
