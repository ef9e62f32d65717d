// Accounts: their state in a shard, or their proven absence.

import { type Cell, openCell, sameBytes } from '../../cell/index.ts'
import {
  type Account,
  equalCurrency,
  loadAccount,
  type ShardAccount,
  type ShardHashes,
  topShardOf,
} from '../../tlb/index.ts'
import { type AccountId, type BlockIdExt, isInShard, isSameBlock, MASTERCHAIN, prefixOf } from '../blockId.ts'
import type { AccountStateAnswer } from '../liteAnswers.ts'
import { type AccountLeaf, type ProvenEntry, provenEntry } from './accountLeaf.ts'
import { demand } from './proofError.ts'
import { demandSameBlock, proofOf, provenTree, refusing, wholeTree } from './readProof.ts'
import { masterchainOfState, provenStatePair } from './state.ts'

export interface VerifiedAccount {
  /** The block whose state it is; null when no shard covers the account. */
  readonly block: BlockIdExt | null
  /** Time and end of that block. */
  readonly utime: number
  readonly lt: bigint
  /** The entry of the state, with the cell of the account as it was shown; null when there is none. */
  readonly shardAccount: ShardAccount | null
  readonly account: Account | null
}

type Proofs = Pick<AccountStateAnswer, 'id' | 'shardBlock' | 'shardProof' | 'proof'>
interface ProvenShards {
  readonly id: BlockIdExt
  readonly proof: Uint8Array
  readonly hashes: ShardHashes
}

/** A network with many shards has a proof for each of them. */
const MOST_PROOFS = 16
/** Of one, which has three kilobytes: a server may show the whole state, and of cells there is ten times as much. */
const MOST_BYTES = 16_384
/** Newest first. */
const recent: ProvenShards[] = []

/**
 * The shards a masterchain state registers. Answers about the accounts of one block all bring the same proof, which is then as
 * large as that of the account: it is read and hashed once, and known by all of its bytes. Throws ProofError.
 */
function registeredShards(id: BlockIdExt, proof: Uint8Array): ShardHashes {
  const known = recent.find((one) => isSameBlock(one.id, id) && sameBytes(one.proof, proof))
  if (known !== undefined) return known.hashes
  const hashes = masterchainOfState(id, provenStatePair(id, proof)).extra.shardHashes
  if (proof.length > MOST_BYTES) return hashes
  // A copy: the bytes may be a small part of what came over the network.
  recent.unshift({ id, proof: new Uint8Array(proof), hashes })
  recent.length = Math.min(recent.length, MOST_PROOFS)
  return hashes
}

interface ProvenLeaf extends ProvenEntry {
  readonly block: BlockIdExt | null
}

/** The block that has the account's state: the given one, or the one it registers for the account's shard. */
function blockOfAccount(id: BlockIdExt, account: AccountId, answer: Proofs): BlockIdExt | null {
  if (id.workchain === account.workchain) {
    demand(isInShard(id.shard, account.hash), 'answer', 'the account lives in another shard')
    demand(answer.shardProof.length === 0, 'shard', 'a proof of the shard where there is none to prove')
    return id
  }
  demand(id.workchain === MASTERCHAIN, 'answer', 'the account lives in another workchain')
  const shards = registeredShards(id, answer.shardProof)
  return topShardOf(shards, { workchain: account.workchain, shard: prefixOf(account.hash) })?.id ?? null
}

function provenLeaf(id: BlockIdExt, account: AccountId, answer: Proofs): ProvenLeaf {
  demand(account.hash.length === 32, 'answer', 'an account id has 32 bytes')
  demandSameBlock(answer.id, id)
  const block = blockOfAccount(id, account, answer)
  if (block === null) {
    demand(answer.proof.length === 0, 'shard', 'a proof from a shard that is not registered')
    return { block, utime: 0, lt: 0n, leaf: null }
  }
  demandSameBlock(answer.shardBlock, block, 'shard')
  const { utime, lt, leaf } = provenEntry(block, account.hash, answer.proof)
  return { block, utime, lt, leaf }
}

/** Reads an account whose cell has the right hash; its own address and balance must agree with where it was found. */
function checkedAccount(wanted: AccountId, leaf: AccountLeaf, cell: Cell): Account | null {
  demand(cell.hash() === leaf.account.hash(), 'account', 'another account state than is proven')
  const account = loadAccount(openCell(cell))
  if (account === null) return null
  const { address, storage } = account
  const isIt = address.kind === 'std' && address.workchain === wanted.workchain && sameBytes(address.hash, wanted.hash)
  demand(isIt, 'account', 'the state is that of another account')
  demand(equalCurrency(storage.balance, leaf.balance), 'account', 'the balance is not the one the shard counts')
  demand((address.anycast?.depth ?? 0) === leaf.splitDepth, 'account', 'the depth is not the one the shard counts')
  return account
}

function verified({ block, utime, lt, leaf }: ProvenLeaf, wanted: AccountId, cell: Cell | null): VerifiedAccount {
  if (leaf === null || cell === null) {
    demand(leaf === null, 'missing', 'an account that exists is not shown')
    demand(cell === null, 'account', 'an account is shown that does not exist')
    return { block, utime, lt, shardAccount: null, account: null }
  }
  const { lastTransHash, lastTransLt } = leaf
  const shardAccount = { account: cell, lastTransHash, lastTransLt }
  return { block, utime, lt, shardAccount, account: checkedAccount(wanted, leaf, cell) }
}

/** Checks the full state of an account, or its absence, as of a block. */
export function verifyAccount(id: BlockIdExt, account: AccountId, answer: AccountStateAnswer): VerifiedAccount {
  return refusing('account', () => {
    const proven = provenLeaf(id, account, answer)
    return verified(proven, account, answer.state.length === 0 ? null : wholeTree(answer.state))
  })
}

/** The same for a state without code, data and libraries: those are cells that cannot be read, with the right hashes. */
export function verifyPrunedAccount(id: BlockIdExt, account: AccountId, answer: AccountStateAnswer): VerifiedAccount {
  return refusing('account', () => {
    const proven = provenLeaf(id, account, answer)
    if (answer.state.length === 0 || proven.leaf === null)
      return verified(proven, account, answer.state.length === 0 ? null : wholeTree(answer.state))
    return verified(proven, account, provenTree(proofOf(answer.state), proven.leaf.account.hash(), 'the account'))
  })
}
