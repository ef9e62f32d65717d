// Limits of the network that its configuration sets: what a block takes in (parameters 22 and 23), and what messages from outside
// may be (parameter 43).

import { expect, test } from 'vitest'
import { beginCell, type Cell, openCell, writeBoc } from '../../../server/cell/index.ts'
import { configOwnerKey, createSigner } from '../../../server/devchain/accounts/index.ts'
import { configRequest } from '../../../server/devchain/contracts/index.ts'
import { BASECHAIN, type Devchain, MASTERCHAIN, type MessageRefused } from '../../../server/devchain/index.ts'
import {
  accountBlocksOf,
  type BlockLimits,
  blockExtraOf,
  loadBlock,
  loadTransaction,
  storeConfigParam,
  type Transaction,
} from '../../../server/tlb/index.ts'
import { openChain } from './devchains.ts'
import { account, coins, external, madeWallet, transfer } from './wallets.ts'

const WIDE = { underload: 1, soft: 1_000_000_000, hard: 2_000_000_000 }
const UNBOUNDED = { form: 'v1', bytes: WIDE, gas: WIDE, ltDelta: WIDE } as const

async function install(chain: Devchain, index: number, value: Cell): Promise<void> {
  const sign = createSigner(Buffer.from(configOwnerKey.seed, 'hex'))
  const validUntil = chain.reader.moment().master.utime + 1000
  const change = { kind: 'parameter', index, value } as const
  await chain.send(writeBoc(configRequest({ change, seqno: 0, validUntil, sign })))
  await chain.control.mine()
}

interface Seen {
  readonly bytes: number
  readonly ltDelta: number
  /** In the order of their logical times. */
  readonly transactions: readonly Transaction[]
}

async function blockOf({ reader }: Devchain, workchain: number, seqno: number): Promise<Seen> {
  const facts = reader.bySeqno(workchain, seqno)
  if (facts === undefined) throw new Error('No such block')
  const block = await reader.block(facts)
  const extra = blockExtraOf(loadBlock(openCell(await block.root())))
  const transactions = [...accountBlocksOf(extra)].flatMap(([, one]) =>
    [...one.transactions].map(([, cell]) => loadTransaction(openCell(cell))),
  )
  transactions.sort((a, b) => Number(a.lt - b.lt))
  return { bytes: block.boc.length, ltDelta: Number(facts.endLt - facts.startLt), transactions }
}

const gasOf = ({ description }: Transaction): number =>
  description.kind === 'ordinary' && description.compute.kind === 'vm' ? Number(description.compute.gasUsed) : 0

const gasOfAll = ({ transactions }: Seen): number => transactions.reduce((sum, one) => sum + gasOf(one), 0)

const COUNT = 40
/** One more message may go beyond a limit, which stops those after it. */
const tight = { underload: 1, soft: 20_000, hard: 40_000 }
type Tight = Partial<Pick<BlockLimits, 'bytes' | 'gas' | 'ltDelta'>>

const cases: readonly (readonly [string, Tight, (block: Seen) => number, number])[] = [
  ['gas', { gas: tight }, gasOfAll, 30_000 + 5_000],
  ['bytes', { bytes: tight }, ({ bytes }) => bytes, 40_000],
  ['logical time', { ltDelta: { underload: 1, soft: 10, hard: 20 } }, ({ ltDelta }) => ltDelta, 15 + 5],
]

test.each(cases)('behavior: a block takes in no more %s than the network allows', async (_, limits, measure, most) => {
  const { chain } = await openChain({ mining: 'manual' })
  const wallets = Array.from({ length: COUNT }, (_, number) => madeWallet(number))
  for (const { address, code, data } of wallets)
    await chain.control.setAccount({ ...address, balance: coins(100), code, data })
  await chain.control.mine(2)
  await install(chain, 23, storeConfigParam(23, { ...UNBOUNDED, ...limits }))
  // One sender: each message has a logical time of its own.
  const to = account(7)
  for (const wallet of wallets) await chain.send(transfer(wallet, { to, value: coins(1) }))
  const from = chain.head().shard?.id.seqno ?? 0
  const blocks: Seen[] = []
  for (let seqno = from + 1; seqno <= from + 2 * COUNT; seqno++) {
    await chain.control.mine()
    blocks.push(await blockOf(chain, BASECHAIN, seqno))
    if (blocks.flatMap(({ transactions }) => transactions).length === 2 * COUNT) break
  }
  expect(blocks.flatMap(({ transactions }) => transactions)).toHaveLength(2 * COUNT)
  expect(blocks.length).toBeGreaterThan(2)
  for (const block of blocks) expect(measure(block)).toBeLessThanOrEqual(most)
})

test('behavior: however tight the limits are, each block takes in a message', async () => {
  const { chain } = await openChain({ mining: 'manual' })
  const none = { underload: 0, soft: 1, hard: 1 }
  const wallet = madeWallet(1)
  await chain.control.setAccount({ ...wallet.address, balance: coins(100), code: wallet.code, data: wallet.data })
  await chain.control.mine(2)
  const value = { ...UNBOUNDED, bytes: none, gas: none, ltDelta: none }
  await install(chain, 23, storeConfigParam(23, value))
  await chain.send(transfer(wallet, { to: account(7), value: coins(1) }))
  await chain.control.mine(2)
  expect(chain.reader.moment().shard.accounts.get(account(7).id)).toBeDefined()
})

test('behavior: messages from outside are as large and as deep as the network allows', async () => {
  const { chain } = await openChain()
  const sizes = {
    maxMessageBits: 2_097_152,
    maxMessageCells: 8192,
    maxLibraryCells: 1000,
    maxVmDataDepth: 512,
    maxExternalMessageSize: 300,
    maxExternalMessageDepth: 4,
  }
  const refusal = (boc: Uint8Array) =>
    chain.send(boc).then(
      () => 'taken',
      ({ reason }: MessageRefused) => reason,
    )
  const long = writeBoc(
    external(
      account(1),
      beginCell()
        .storeRepeat(1, 1000)
        .storeRef(beginCell().storeRepeat(1, 1016).storeRef(beginCell().storeRepeat(0, 1016).end()).end())
        .end(),
    ),
  )
  let nested = beginCell().end()
  for (let i = 0; i < 4; i++) nested = beginCell().storeRef(nested).end()
  const deep = writeBoc(external(account(1), nested))
  expect(await Promise.all([long, deep].map(refusal))).toEqual(['noAccount', 'noAccount'])
  await install(chain, 43, storeConfigParam(43, { form: 'v1', ...sizes }))
  expect(long.length).toBeGreaterThan(300)
  expect(await Promise.all([long, deep].map(refusal))).toEqual(['tooLarge', 'tooDeep'])
  expect(chain.head().master.id.workchain).toBe(MASTERCHAIN)
})
