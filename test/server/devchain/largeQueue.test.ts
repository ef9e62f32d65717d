// Messages that wait in a queue and together make more than a block may hold.

import { runTolkCompiler } from '@ton/tolk-js'
import { expect, test } from 'vitest'
import { beginCell, type Cell, readBoc } from '../../../server/cell/index.ts'
import { openChain } from './devchains.ts'
import { account, coins, madeWallet, transfer } from './wallets.ts'

/** Sends each tree that it keeps. */
const KEEPER = `
fun onInternalMessage(in: InMessage) {
    var kept = contract.getData().beginParse();
    while (!kept.isEndOfRefs()) {
        val message = createMessage({ bounce: BounceMode.NoBounce, value: ton("0.01"), dest: in.senderAddress, body: kept.loadRef() });
        message.send(SEND_MODE_PAY_FEES_SEPARATELY);
    }
}`

async function keeperCode(): Promise<Cell> {
  const result = await runTolkCompiler({ entrypointFileName: 'keeper.tolk', fsReadCallback: () => KEEPER })
  if (result.status === 'error') throw new Error(result.message)
  return readBoc(Buffer.from(result.codeBoc64, 'base64'))
}

let made = 0
/** As many cells as a message may have, none of them in another tree. */
function tree(level = 6): Cell {
  const builder = beginCell().storeUint(made++, 64)
  for (let i = 0; level > 0 && i < 4; i++) builder.storeRef(tree(level - 1))
  return builder.end()
}

test('behavior: are delivered a few at a time, and the chain goes on', async () => {
  const limits = { maxTransactions: 40, maxMs: 60_000 }
  const { chain } = await openChain({ mining: 'manual', limits })
  const code = await keeperCode()
  const keepers = Array.from({ length: 24 }, (_, i) => account(0x80 + i))
  for (const keeper of keepers) {
    let data = beginCell()
    for (let i = 0; i < 4; i++) data = data.storeRef(tree())
    await chain.control.setAccount({ ...keeper, balance: coins(1000), code, data: data.end() })
    await chain.control.mine()
  }
  const wallets = Array.from({ length: 6 }, (_, i) => madeWallet(i))
  for (const { address, code: walletCode, data } of wallets)
    await chain.control.setAccount({ ...address, balance: coins(100), code: walletCode, data })
  await chain.control.mine()
  for (const [i, wallet] of wallets.entries())
    await chain.send(transfer(wallet, ...keepers.slice(4 * i, 4 * i + 4).map((to) => ({ to, value: coins(1) }))))
  for (let i = 0; i < limits.maxTransactions - wallets.length; i++)
    await chain.control.sendInternal({ from: account(9), to: account(0x20 + i), value: coins(1), bounce: false })
  await chain.control.mine()
  const queued = () => chain.reader.moment().shard.queue.queue
  expect(queued().count()).toBe(keepers.length)
  for (let blocks = 0; blocks < 20 && !queued().isEmpty; blocks++) await chain.control.mine()
  expect(queued().isEmpty).toBe(true)
})
