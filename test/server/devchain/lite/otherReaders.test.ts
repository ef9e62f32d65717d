// The same answers read by @ton/core, in the ways clients built on it read them.

import { Address, Cell, Dictionary, loadAccount, loadShardStateUnsplit, loadTransaction } from '@ton/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BlockIdExt, MASTERCHAIN } from '../../../../server/node/index.ts'
import { verifyAccount } from '../../../../server/node/verify/index.ts'
import { type LiteScene, openScene } from './liteScene.ts'

let scene: LiteScene
let head: BlockIdExt
beforeAll(async () => {
  scene = await openScene({ messages: 24, seed: 31 })
  head = scene.chain.head().master.id
})
afterAll(() => scene.close())

const roots = (boc: Uint8Array): Cell[] => Cell.fromBoc(Buffer.from(boc))
const first = (boc: Uint8Array): Cell => roots(boc)[0] ?? Cell.EMPTY
const tree = (proof: Cell | undefined): Cell => proof?.refs[0] ?? Cell.EMPTY
const touchedLately = async () =>
  (
    await Promise.all(
      scene
        .blocks(0)
        .slice(-4)
        .map((id) => scene.touched(id)),
    )
  )
    .flat()
    .map(({ account }) => account)

describe('@ton/core', () => {
  test('behavior: finds the last transaction of an account in the proof of its state', async () => {
    for (const account of await touchedLately()) {
      const answer = await scene.lite.accountState(head, account)
      const { shardAccount } = verifyAccount(head, account, answer)
      const state = loadShardStateUnsplit(tree(roots(answer.proof)[1]).beginParse())
      const found = state.accounts?.get(BigInt(`0x${Buffer.from(account.hash).toString('hex')}`))
      expect(found?.shardAccount.lastTransactionLt ?? 0n).toBe(shardAccount?.lastTransLt ?? 0n)
      if (shardAccount === null) continue
      const full = loadAccount(skipTag(first(answer.state)))
      expect(full.addr.equals(new Address(account.workchain, Buffer.from(account.hash)))).toBe(true)
    }
  })

  test('behavior: reads the masterchain state out of the proof of a configuration', async () => {
    for (const id of scene.blocks(MASTERCHAIN)) {
      const answer = await scene.lite.config(id, 'all')
      const state = loadShardStateUnsplit(tree(first(answer.configProof)).beginParse())
      expect(state.seqno).toBe(id.seqno)
      const config = state.extras?.config
      expect(config?.has(34) && config.has(8)).toBe(true)
    }
  })

  test('behavior: reads every shard out of the list of them', async () => {
    const answer = await scene.lite.shards(head)
    const hashes = first(answer.data).beginParse().loadDict(Dictionary.Keys.Int(32), Dictionary.Values.Cell())
    expect([...hashes.keys()]).toEqual([0])
  })

  test('behavior: reads transactions of an account with the same hashes', async () => {
    for (const account of await touchedLately()) {
      const { shardAccount } = verifyAccount(head, account, await scene.lite.accountState(head, account))
      if (shardAccount === null) continue
      const { lastTransLt, lastTransHash } = shardAccount
      const { ids, transactions } = await scene.lite.transactions({
        account,
        lt: lastTransLt,
        hash: lastTransHash,
        count: 16,
      })
      const read = roots(transactions).map((cell) => loadTransaction(cell.beginParse()))
      expect(read).toHaveLength(ids.length)
      expect(read[0]?.hash().equals(Buffer.from(lastTransHash))).toBe(true)
      read.slice(1).forEach((one, i) => {
        expect(one.lt).toBe(read[i]?.prevTransactionLt)
      })
    }
  })
})

/** @ton/core reads an account behind the bit that says there is one. */
function skipTag(cell: Cell) {
  const slice = cell.beginParse()
  if (!slice.loadBit()) throw new Error('No account')
  return slice
}
