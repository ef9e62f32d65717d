// The TVM compared with the package it comes from, in one process and one run: `npx tsx test/bench/tvm.ts`. Contestants take
// turns, round by round; the figures are medians. On a busy machine look at the ratios.

import { beginCell, type Cell, internal as internalMessage, serializeTuple } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { Blockchain, createShardAccount, defaultConfig, Executor as PackageExecutor } from '@ton/sandbox'
import { WalletContractV4 } from '@ton/ton'
import {
  createConfig,
  createExecutor,
  createTvmPool,
  type Emulator,
  type GetMethodRun,
  preparePlain,
  type TvmPool,
} from '../../server/tvm/index.ts'
import { alice, boc, code, external, internal, shardAccount } from '../server/tvm/contracts.ts'
import { median } from './compare.ts'

const rounds = 7
const now = 1_700_000_000
const lt = 1_000_000n
const seqnoMethod = 85_143
const config = createConfig(defaultConfig)
const keys = keyPairFromSeed(Buffer.alloc(32, 7))
const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })

interface Contestant {
  readonly name: string
  /** Calls of one round. */
  readonly calls: number
  run(calls: number): Promise<void> | void
}

/** The last contestant is the reference. */
async function contest(title: string, contestants: readonly Contestant[]): Promise<void> {
  const rates = contestants.map((): number[] => [])
  for (let round = -1; round < rounds; round++) {
    for (const [index, { calls, run }] of contestants.entries()) {
      const start = performance.now()
      await run(calls)
      // The round before the first warms up.
      if (round >= 0) rates[index]?.push((calls * 1000) / (performance.now() - start))
    }
  }
  const reference = rates.at(-1) ?? []
  console.log(`\n${title}`)
  for (const [index, { name }] of contestants.entries()) {
    const own = rates[index] ?? []
    const ratios = own.map((rate, round) => rate / (reference[round] ?? Number.NaN))
    const spread = (Math.max(...ratios) - Math.min(...ratios)) / 2
    const perSecond = Math.round(median(own)).toLocaleString('en').padStart(9)
    console.log(`  ${name.padEnd(44)}${perSecond}/s   x ${median(ratios).toFixed(2)} ±${spread.toFixed(2)}`)
  }
}

async function inProcess(plain: boolean): Promise<Emulator> {
  const executor = await createExecutor(plain ? await preparePlain() : undefined)
  executor.setConfig(config)
  executor.beginBlock({ now, randSeed: Buffer.alloc(32) })
  return executor
}

async function transactions(title: string, account: Cell, message: Cell): Promise<void> {
  const quick = await inProcess(false)
  const plain = await inProcess(true)
  const theirs = await PackageExecutor.create()
  const run = { shardAccount: boc(account).toString('base64'), message: boc(message).toString('base64'), lt }
  const ours = (executor: Emulator) => (calls: number) => {
    for (let call = 0; call < calls; call++)
      if (!executor.transaction(run).accepted) throw new Error(`${title}: not accepted`)
  }
  const args = { config: defaultConfig, libs: null, verbosity: 'short' as const, shardAccount: run.shardAccount }
  const rest = { now, lt, randomSeed: Buffer.alloc(32), ignoreChksig: false, debugEnabled: false }
  await contest(title, [
    { name: 'quick', calls: 1500, run: ours(quick) },
    { name: 'plain', calls: 500, run: ours(plain) },
    {
      name: 'executor of @ton/sandbox',
      calls: 500,
      run: async (calls) => {
        for (let call = 0; call < calls; call++) await theirs.runTransaction({ ...args, ...rest, message })
      },
    },
  ])
}

async function getMethods(): Promise<void> {
  const quick = await inProcess(false)
  const plain = await inProcess(true)
  const pools = await Promise.all([1, 2].map((workers) => createTvmPool({ workers, eager: true })))
  const blockchain = await Blockchain.create()
  const { code: walletCode, data } = wallet.init
  const state = createShardAccount({ address: wallet.address, code: walletCode, data, balance: 10n ** 9n })
  await blockchain.setShardAccount(wallet.address, state)
  const run: GetMethodRun = {
    code: boc(walletCode).toString('base64'),
    data: boc(data).toString('base64'),
    stack: boc(serializeTuple([])).toString('base64'),
    methodId: seqnoMethod,
    address: wallet.address.toRawString(),
    balance: 10n ** 9n,
    now,
  }
  const ours = (executor: Emulator, fullConfig: boolean) => (calls: number) => {
    for (let call = 0; call < calls; call++) executor.runGetMethod({ ...run, fullConfig })
  }
  const pooled = (pool: TvmPool) => async (calls: number) => {
    await Promise.all(Array.from({ length: calls }, () => pool.runGetMethod(config, run)))
  }
  await contest('Get-method `seqno` of a v4 wallet, mainnet configuration', [
    { name: 'quick', calls: 1500, run: ours(quick, false) },
    { name: 'quick, configuration untrimmed', calls: 150, run: ours(quick, true) },
    { name: 'plain', calls: 500, run: ours(plain, false) },
    ...pools.map((pool) => ({ name: `pool of ${pool.stats.workers}`, calls: 1500, run: pooled(pool) })),
    {
      name: 'Blockchain of @ton/sandbox',
      calls: 150,
      run: async (calls) => {
        for (let call = 0; call < calls; call++) await blockchain.runGetMethod(wallet.address, 'seqno')
      },
    },
  ])
  await Promise.all(pools.map((pool) => pool.close()))
}

const walletState = shardAccount({ address: wallet.address, code: wallet.init.code, data: wallet.init.data })
const transfer = wallet.createTransfer({
  seqno: 0,
  secretKey: keys.secretKey,
  timeout: now + 60,
  messages: [internalMessage({ to: alice, value: 1000n, body: beginCell().storeUint(1, 32).endCell() })],
})

await transactions('Transaction of a contract that does nothing', shardAccount({ code: code.silent }), internal({}))
await transactions('Transaction that catches 40 exceptions', shardAccount({ code: code.catching }), internal({}))
await transactions('Signed transfer of a v4 wallet', walletState, external(wallet.address, transfer))
await getMethods()
