// Transactions in blocks are what the package's own executor makes of the same account, message and time.

import { Cell as CoreCell } from '@ton/core'
import { Executor } from '@ton/sandbox'
import { expect, test } from 'vitest'
import { openCell, writeBoc } from '../../../server/cell/index.ts'
import { BASECHAIN, type Devchain, MASTERCHAIN } from '../../../server/devchain/index.ts'
import {
  accountBlocksOf,
  blockExtraOf,
  loadBlock,
  loadTransaction,
  type ShardAccount,
  storeShardAccount,
  toCell,
} from '../../../server/tlb/index.ts'
import { openChain } from './devchains.ts'
import { play, prepare } from './traffic.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const coreCell = (boc: Uint8Array): CoreCell => {
  const [cell] = CoreCell.fromBoc(Buffer.from(boc))
  if (cell === undefined) throw new Error('Not a bag of cells')
  return cell
}
const absent: ShardAccount = {
  account: toCell(null, (builder) => builder.storeBit(0)),
  lastTransHash: new Uint8Array(32),
  lastTransLt: 0n,
}

/** Executes the block's transactions again; gives how many there were. */
async function repeat(chain: Devchain, executor: Executor, [workchain, seqno]: [number, number]): Promise<number> {
  const { reader } = chain
  const facts = reader.bySeqno(workchain, seqno)
  if (facts === undefined) throw new Error('No such block')
  const before = await (workchain === MASTERCHAIN ? reader.masterState(seqno - 1) : reader.shardState(seqno - 1))
  const step = workchain === MASTERCHAIN ? seqno : (reader.registeredBy(seqno)?.id.seqno ?? 0)
  const master = await reader.masterState(step - 1)
  const root = await (await reader.block(facts)).root()
  const extra = blockExtraOf(loadBlock(openCell(root)))
  const libraries = master.details.libraries.root
  const config = master.extra.config.params.root
  if (config === null) throw new Error('No configuration')
  const shared = {
    config: base64(writeBoc(config)),
    libs: libraries === null ? null : coreCell(writeBoc(libraries)),
    verbosity: 'short' as const,
    now: facts.utime,
    randomSeed: Buffer.from(extra.randSeed),
    ignoreChksig: false,
    debugEnabled: false,
  }
  let count = 0
  for (const [id, { transactions }] of accountBlocksOf(extra)) {
    let shardAccount = base64(writeBoc(toCell(before.accounts.get(id) ?? absent, storeShardAccount)))
    for (const [lt, cell] of transactions) {
      const { inMessage, description } = loadTransaction(openCell(cell))
      const args = { ...shared, shardAccount, lt }
      const { result } =
        inMessage === null
          ? await executor.runTickTock({
              ...args,
              which: description.kind === 'tickTock' && description.isTock ? 'tock' : 'tick',
            })
          : await executor.runTransaction({ ...args, message: coreCell(writeBoc(inMessage)) })
      if (!result.success) throw new Error(result.error)
      expect(CoreCell.fromBase64(result.transaction).hash().toString('hex')).toBe(cell.hashHex())
      shardAccount = result.shardAccount
      count++
    }
  }
  return count
}

test('default: every transaction is the one the package would make', async () => {
  const { chain } = await openChain()
  const scene = await prepare(chain, 5)
  await play(chain, scene, { count: 30, seed: 3 })
  const executor = await Executor.create()
  let count = 0
  // The accounts of this scene were put there by hand in the second step.
  for (const workchain of [BASECHAIN, MASTERCHAIN])
    for (let seqno = 3; chain.reader.bySeqno(workchain, seqno) !== undefined; seqno++)
      count += await repeat(chain, executor, [workchain, seqno])
  expect(count).toBeGreaterThan(30)
})
