// Accounts that no state of a chain has: of another shard, under the id of another, with another balance than the state counts.
// The states are zerostates, whose names are their own hashes.

import { describe, expect, test } from 'vitest'
import {
  augDictKind,
  beginCell,
  buildDict,
  type Cell,
  CellUsage,
  dictBytesKey,
  emptyDict,
  makeProof,
  openCell,
  stdAddress,
  storeDict,
  writeBoc,
} from '../../../../server/cell/index.ts'
import { type BlockIdExt, WHOLE_SHARD } from '../../../../server/node/index.ts'
import { verifyAccount } from '../../../../server/node/verify/index.ts'
import {
  accountsOf,
  addCurrency,
  type DepthBalance,
  extraCurrencyKind,
  loadDepthBalance,
  loadShardAccount,
  loadShardState,
  masterStateOf,
  storeAccount,
  storeCurrency,
  storeShardAccount,
  storeShardState,
  toCell,
} from '../../../../server/tlb/index.ts'
import { identOf } from '../../../setup/blockParts.ts'
import { openChain } from '../../devchain/devchains.ts'

const LEFT = 1n << 62n
const OURS = new Uint8Array(32).fill(0x11)
const THEIRS = new Uint8Array(32).fill(0x22)
const IN_RIGHT = new Uint8Array(32).fill(0xff)
const NOTHING = new Uint8Array()

const coins = (grams: bigint) => ({ grams, other: emptyDict(extraCurrencyKind) })

const accountCell = (hash: Uint8Array): Cell =>
  storeAccount(beginCell(), {
    address: stdAddress(0, hash),
    storageStat: { used: { cells: 1, bits: 100 }, dictHash: null, lastPaid: 0, duePayment: null },
    storage: { lastTransLt: 43n, balance: coins(5n), state: { kind: 'uninit' } },
  }).end()

/** Accounts of which a state counts depth and balance so. */
const countedAs = (counted: DepthBalance) =>
  augDictKind(
    dictBytesKey(256),
    { load: loadShardAccount, store: storeShardAccount },
    {
      load: loadDepthBalance,
      store: (builder, { splitDepth, balance }: DepthBalance) => {
        storeCurrency(builder.storeUint(splitDepth, 5), balance)
      },
      leaf: () => counted,
      combine: (a, b) => ({ splitDepth: a.splitDepth, balance: addCurrency(a.balance, b.balance) }),
      empty: { splitDepth: 0, balance: coins(0n) },
    },
  )

interface Wrong {
  readonly shard?: bigint
  /** What is stored under `OURS`. */
  readonly account?: Cell
  readonly counted?: DepthBalance
}

/** A state of the basechain with one account, and the honest answer about it. */
async function stateWith({ shard = WHOLE_SHARD, account = accountCell(OURS), counted }: Wrong = {}) {
  const { chain } = await openChain()
  const state = loadShardState(openCell(chain.reader.zerostates.base.root))
  const kind = countedAs(counted ?? { splitDepth: 0, balance: coins(5n) })
  const entry = { account, lastTransHash: new Uint8Array(32).fill(7), lastTransLt: 42n }
  const accounts = toCell(buildDict(kind, [[OURS, entry]]), storeDict)
  const root = toCell({ ...state, shard: identOf(0, shard), accounts }, storeShardState)
  const usage = new CellUsage()
  usage.run(() => [...accountsOf(loadShardState(openCell(root)))])
  const rootHash = root.hashBytes()
  const id: BlockIdExt = { workchain: 0, shard, seqno: 0, rootHash, fileHash: rootHash }
  const proof = writeBoc(makeProof(root, usage), 0)
  return { id, answer: { id, shardBlock: id, shardProof: NOTHING, proof, state: writeBoc(account) } }
}

const ours = { workchain: 0, hash: OURS }

test('behavior: the account of an honest state, and one that is not there', async () => {
  const { id, answer } = await stateWith()
  expect(verifyAccount(id, ours, answer).account?.storage.balance.grams).toBe(5n)
  const absent = { workchain: 0, hash: THEIRS }
  expect(verifyAccount(id, absent, { ...answer, state: NOTHING }).account).toBeNull()
  expect(() => verifyAccount(id, absent, answer)).toThrow('an account is shown that does not exist')
  expect(() => verifyAccount(id, ours, { ...answer, state: NOTHING })).toThrow('an account that exists is not shown')
})

describe('error:', () => {
  test('a shard says that an account of another shard, workchain or length does not exist', async () => {
    const { id, answer } = await stateWith({ shard: LEFT })
    const nothing = { ...answer, state: NOTHING }
    const refusedOf = (workchain: number, hash: Uint8Array, more: Partial<typeof answer> = {}) =>
      expect(() => verifyAccount(id, { workchain, hash }, { ...nothing, ...more }))
    refusedOf(0, IN_RIGHT).toThrow('the account lives in another shard')
    refusedOf(1, OURS).toThrow('the account lives in another workchain')
    refusedOf(-1, OURS).toThrow('the account lives in another workchain')
    refusedOf(0, OURS.subarray(1)).toThrow('an account id has 32 bytes')
    refusedOf(0, THEIRS, { shardProof: answer.proof }).toThrow('a proof of the shard where there is none to prove')
    expect(verifyAccount(id, { workchain: 0, hash: THEIRS }, nothing).account).toBeNull()
  })

  test('an account of a state that has another name', async () => {
    const { id, answer } = await stateWith()
    for (const named of [
      { ...id, workchain: 1 },
      { ...id, shard: LEFT },
    ]) {
      const misnamed = { ...answer, id: named, shardBlock: named }
      expect(() => verifyAccount(named, { ...ours, workchain: named.workchain }, misnamed)).toThrow(
        'the state is that of 0:0',
      )
    }
  })

  test('an account of a workchain without shards, with a proof', async () => {
    const { chain } = await openChain()
    const { id, root } = chain.reader.zerostates.master
    const usage = new CellUsage()
    usage.run(() => masterStateOf(loadShardState(openCell(root)))?.shardHashes.get(5))
    const shardProof = writeBoc(makeProof(root, usage), 0)
    const nothing = { id, shardBlock: id, shardProof, proof: NOTHING, state: NOTHING }
    expect(verifyAccount(id, { workchain: 5, hash: OURS }, nothing)).toMatchObject({ block: null, account: null })
    expect(() => verifyAccount(id, { workchain: 5, hash: OURS }, { ...nothing, proof: shardProof })).toThrow(
      'a proof from a shard that is not registered',
    )
  })

  test.each([
    ['of another account', { account: accountCell(THEIRS) }, 'the state is that of another account'],
    [
      'with a balance that the state does not count',
      { counted: { splitDepth: 0, balance: coins(6n) } },
      'the balance is not the one the shard counts',
    ],
    [
      'with a depth that the state does not count',
      { counted: { splitDepth: 3, balance: coins(5n) } },
      'the depth is not the one the shard counts',
    ],
  ])('an account %s', async (_, wrong, text) => {
    const { id, answer } = await stateWith(wrong)
    expect(() => verifyAccount(id, ours, answer)).toThrow(text)
  })
})
