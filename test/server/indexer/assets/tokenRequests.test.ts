// Which transactions of a step are requests to tokens, where the tables know a token from before.

import { expect, onTestFinished, test } from 'vitest'
import { jettons } from '../../../../server/bodies/index.ts'
import { hashFromBytes } from '../../../../server/cell/index.ts'
import { accountKey, type TransactionFacts } from '../../../../server/facts/index.ts'
import { TokenHistory } from '../../../../server/indexer/assets/tokenHistory.ts'
import { type JettonWalletRow, sql } from '../../../../server/store/index.ts'
import { openMemoryStore } from '../../../setup/memoryStore.ts'
import { incoming, transactionOf } from '../../facts/staking/madeTransactions.ts'

const keyOf = (fill: number) => accountKey(0, new Uint8Array(32).fill(fill))
const ACCOUNT = keyOf(0x31)
const HASH = new Uint8Array(32)
const WALLET: JettonWalletRow = {
  account: ACCOUNT,
  codeHash: HASH,
  dataHash: HASH,
  lastTxLt: 1n,
  balance: 1n,
  owner: keyOf(0x22),
  jetton: keyOf(0x32),
  claimed: null,
}

type Life = readonly [lt: number, origStatus: TransactionFacts['origStatus'], endStatus: TransactionFacts['endStatus']]

/** Each has a request to transfer. */
const made = ([lt, origStatus, endStatus]: Life): TransactionFacts => ({
  ...transactionOf(incoming({ op: jettons.transfer.opcode, queryId: 1n, value: 1n })),
  account: ACCOUNT,
  lt: BigInt(lt),
  hash: new Uint8Array(32).fill(lt),
  origStatus,
  endStatus,
})

interface Known {
  readonly isKnown?: boolean
  /** What is found after the step: nothing where it is false. */
  readonly wallet: boolean
}

/** Logical times of requests that count. */
async function counted(lives: readonly Life[], { isKnown = false, wallet }: Known) {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  const { account, codeHash, dataHash, lastTxLt, balance, owner, jetton } = WALLET
  if (isKnown)
    await store.transaction((to) =>
      to.query(sql`insert into jetton_wallets (account, code_hash, data_hash, last_tx_lt, balance, owner, jetton)
        values (${account}, ${codeHash}, ${dataHash}, ${lastTxLt}, ${balance}, ${owner}, ${jetton})`),
    )
  const step = { master: { id: { seqno: 5 }, facts: { transactions: lives.map(made) } }, shards: [] }
  const found = wallet ? { jettonWallets: WALLET } : {}
  const looked = new Map([[hashFromBytes(ACCOUNT), found]])
  const transactions = await new TokenHistory(store).of([step], [looked])
  return transactions(() => HASH).map(({ transaction: { lt } }) => Number(lt))
}

test('a token that the tables know, and that ends, has its last request', async () => {
  const lives: Life[] = [
    [2, 'active', 'active'],
    [3, 'active', 'nonexist'],
    [4, 'nonexist', 'uninit'],
  ]
  expect(await counted(lives, { isKnown: true, wallet: false })).toEqual([2, 3])
  expect(await counted(lives, { isKnown: false, wallet: false })).toEqual([])
})

test('a new one has the request that deploys it, and none of an account that is not deployed', async () => {
  const lives: Life[] = [
    [2, 'nonexist', 'uninit'],
    [3, 'uninit', 'active'],
    [4, 'active', 'active'],
  ]
  expect(await counted(lives, { wallet: true })).toEqual([3, 4])
})

test('one that turns out to be a token later has the requests of its last life', async () => {
  const lives: Life[] = [
    [2, 'uninit', 'active'],
    [3, 'active', 'nonexist'],
    [4, 'nonexist', 'active'],
    [5, 'active', 'active'],
  ]
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  const stepOf = (seqno: number, own: readonly Life[]) => ({
    master: { id: { seqno }, facts: { transactions: own.map(made) } },
    shards: [],
  })
  const key = hashFromBytes(ACCOUNT)
  const looked = [new Map([[key, {}]]), new Map([[key, { jettonWallets: WALLET }]])]
  const transactions = await new TokenHistory(store).of([stepOf(5, lives), stepOf(6, [])], looked)
  const found = transactions(() => HASH)
  expect(found.map(({ transaction: { lt }, lateMcSeqno }) => [lt, lateMcSeqno])).toEqual([
    [4n, 6],
    [5n, 6],
  ])
})
