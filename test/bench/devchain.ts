// The embedded chain compared with the bare TVM. The same signed transfers are once sent
// into a chain, mined and written to disk, and once merely executed one after the other. On a busy machine look at ratios.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { loadDict, openCell, readBoc, writeBoc } from '../../server/cell/index.ts'
import { type Devchain, openDevchain } from '../../server/devchain/index.ts'
import { loadMessageInfo, outMessagesKind, storeShardAccount, toCell } from '../../server/tlb/index.ts'
import { createConfig, createExecutor } from '../../server/tvm/index.ts'
import { coins, madeWallet, transfer, type Wallet } from '../server/devchain/wallets.ts'
import { median } from './compare.ts'

const WALLETS = 1000
const ROUNDS = 5

const wallets = Array.from({ length: WALLETS }, (_, number) => madeWallet(number))
const receiver = (index: number): Wallet => wallets[(index * 7 + 1) % WALLETS] ?? madeWallet(0)

const signed = (): Uint8Array[] =>
  wallets.map((wallet, index) => transfer(wallet, { to: receiver(index).address, value: coins(0.01) }))

async function populate(chain: Devchain): Promise<void> {
  await Promise.all(
    wallets.map(({ address, code, data }) =>
      chain.control.setAccount({ ...address, balance: coins(1000), code, data }),
    ),
  )
}

async function sendAll(chain: Devchain, messages: readonly Uint8Array[]): Promise<number> {
  const start = performance.now()
  await Promise.all(messages.map((message) => chain.send(message)))
  return performance.now() - start
}

/** Executes the same messages and what they lead to, with no chain around. */
async function bareLoop(chain: Devchain) {
  const executor = await createExecutor()
  const { master, shard } = chain.reader.moment()
  const config = master.extra.config.params.root
  if (config === null) throw new Error('No configuration')
  executor.setConfig(createConfig(writeBoc(config, 0)))
  executor.beginBlock({ now: shard.utime, randSeed: new Uint8Array(32) })
  const accounts = new Map<string, string | Uint8Array>()
  for (const { address } of wallets) {
    const found = shard.accounts.get(address.id)
    if (found === undefined) throw new Error('No such wallet')
    accounts.set(Buffer.from(address.id).toString('latin1'), writeBoc(toCell(found, storeShardAccount), 0))
  }
  return (messages: readonly Uint8Array[]): number => {
    const start = performance.now()
    const lt = shard.lt + 1_000_001n
    const run = (message: Uint8Array, key: string): string => {
      const result = executor.transaction({ shardAccount: accounts.get(key) ?? '', message, lt })
      if (!result.accepted) throw new Error(result.reason)
      accounts.set(key, result.shardAccount)
      return result.transaction
    }
    messages.forEach((message, index) => {
      const transaction = readBoc(Buffer.from(run(message, wallets[index] ? key(wallets[index]) : ''), 'base64'))
      const inner = openCell(transaction.refs[0] ?? transaction)
      inner.loadMaybeRef()
      for (const out of loadDict(inner, outMessagesKind).values()) {
        const { dest } = loadMessageInfo(openCell(out))
        if (dest?.kind === 'std') run(writeBoc(out, 0), Buffer.from(dest.hash).toString('latin1'))
      }
    })
    return performance.now() - start
  }
}

const key = ({ address }: Wallet): string => Buffer.from(address.id).toString('latin1')
const perSecond = (ms: number): string => Math.round((2 * WALLETS * 1000) / ms).toLocaleString('en')

async function speed(chain: Devchain): Promise<void> {
  const bare = await bareLoop(chain)
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const messages = signed()
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const mined = await sendAll(chain, messages)
    delay.disable()
    const executed = bare(messages)
    console.log(
      `round ${round}: mined ${mined.toFixed(0)} ms, executed ${executed.toFixed(0)} ms, ` +
        `longest stall ${(delay.max / 1e6).toFixed(0)} ms`,
    )
    if (round < 0) continue
    ours.push(mined)
    theirs.push(executed)
  }
  const ratio = median(ours.map((ms, i) => (theirs[i] ?? Number.NaN) / ms))
  console.log(
    `transactions per second: ${perSecond(median(ours))} mined and durable, ${perSecond(median(theirs))} bare, ratio ${ratio.toFixed(2)}`,
  )
}

async function idle(chain: Devchain): Promise<void> {
  const start = performance.now()
  await chain.control.mine(200)
  console.log(`idle step: ${((performance.now() - start) / 200).toFixed(2)} ms`)
}

async function memory(chain: Devchain): Promise<void> {
  const used = () => {
    globalThis.gc?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    return `heap ${(heapUsed / 1e6).toFixed(0)} MB, outside ${(external / 1e6).toFixed(0)} MB, all ${(rss / 1e6).toFixed(0)} MB`
  }
  console.log(`before: ${used()}`)
  for (let round = 1; round <= 50; round++) {
    await sendAll(chain, signed())
    if (round % 10 === 0) console.log(`${round * 2 * WALLETS} transactions: ${used()}`)
  }
}

const folder = await mkdtemp(join(tmpdir(), 'devchain-bench-'))
const chain = await openDevchain({ folder, idleBlockMs: 3_600_000, log: console.log })
try {
  await idle(chain)
  await populate(chain)
  await speed(chain)
  await idle(chain)
  await memory(chain)
} finally {
  await chain.close()
  await rm(folder, { recursive: true })
}
