// The tokens of a very large block become rows in pieces: others have their turns meanwhile.

import { expect, test } from 'vitest'
import { hashFromBytes } from '../../../../server/cell/index.ts'
import { accountKey, parseBlock } from '../../../../server/facts/index.ts'
import { makingItemLooks } from '../../../../server/indexer/assets/itemLooks.ts'
import { TokenHistory } from '../../../../server/indexer/assets/tokenHistory.ts'
import type { ChainStep, StepBlock } from '../../../../server/indexer/chain/chainStep.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'
import { recordedChain } from '../../../setup/recordedBlocks.ts'

const COUNT = 3_000

/** A block in which as many wallets were asked for a transfer. */
async function largeStep(): Promise<ChainStep> {
  const { blocks } = await recordedChain()
  const [master] = blocks
  if (master === undefined) throw new Error('No block')
  const { id, root, mcSeqno } = master
  const facts = parseBlock(id, root, { mcSeqno })
  const [one] = blocks.flatMap((block) =>
    parseBlock(block.id, block.root, { mcSeqno: block.mcSeqno }).transactions.filter(
      ({ inMessage, origStatus }) => inMessage?.kind === 'internal' && origStatus === 'active',
    ),
  )
  if (one === undefined || one.inMessage === null) throw new Error('No transaction')
  const inMessage = { ...one.inMessage, opcode: 0x0f8a7ea5 }
  const transactions = Array.from({ length: COUNT }, (_, i) => {
    const bytes = new Uint8Array(32)
    new DataView(bytes.buffer).setUint32(0, i)
    return { ...one, account: accountKey(0, bytes), hash: bytes, lt: BigInt(i), inMessage }
  })
  const block: StepBlock = { id, previous: [], facts: { ...facts, transactions }, fromNobody: new Set(), keyRoot: null }
  return { master: block, shards: [], tip: { id, tops: new Set(), globalVersion: undefined } }
}

test('behavior: tokens of a block with very many', async () => {
  const step = await largeStep()
  const { transactions } = step.master.facts
  const head = { codeHash: new Uint8Array(32), dataHash: new Uint8Array(32), lastTxLt: 1n }
  const wallet = { balance: 1n, owner: accountKey(0, new Uint8Array(32)), claimed: null }
  const looked = new Map(
    transactions.map(({ account }) => [
      hashFromBytes(account),
      { jettonWallets: { account, jetton: wallet.owner, ...wallet, ...head } },
    ]),
  )
  const history = new TokenHistory({ transaction: () => Promise.resolve([]) as never })
  const { found, turns } = await turnsOf(() => history.of([step], [looked]))
  expect(found(() => new Uint8Array(32))).toHaveLength(COUNT)
  expect(turns).toBeGreaterThan(COUNT / 100)
  const checked = transactions.map(({ account }) => account)
  const looks = makingItemLooks(step, { looked, checked, codes: [] })
  let pieces = 0
  while (looks.next().done !== true) pieces++
  expect(pieces).toBeGreaterThan(COUNT / 100)
})
