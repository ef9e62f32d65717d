// Workers read the history of an embedded chain by themselves: what they answer with, and what they do not.

import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Caller, callerOfEach, workersOf } from '../../../setup/callers.ts'
import { type RunningService, startBuilt } from '../../../setup/runningService.ts'

const SHARD = '-9223372036854775808'

interface Transaction {
  readonly account: string
  readonly lt: string
  readonly hash: string
}

async function folderOf(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-workers-history-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  return data
}

async function started(data: string): Promise<RunningService> {
  const flags = ['--workers', '3', '--seed', 'none', '--mining', 'manual', '--log-format', 'json', '--limits', 'off']
  const service = await startBuilt(['--data', data, ...flags])
  await ready(service)
  return service
}

async function ready({ url }: RunningService): Promise<void> {
  const said = async (): Promise<string> =>
    await (await fetch(`${url}/readyz`, { headers: { Connection: 'close' } })).text()
  while (!/"2 of 2 ready"/.test(await said())) await sleep(50)
}

/** Blocks with transactions on both chains. */
async function mine(service: RunningService, rounds: number): Promise<void> {
  using owner = new Caller(service)
  for (let i = 1; i <= rounds; i++) {
    const address = `0:${(7000 + i).toString(16).padStart(64, '0')}`
    expect(await owner.ask('dev.faucet', { address, amount: String(1000 + i) })).toMatchObject({ ok: true })
    expect(await owner.ask('dev.mine', { blocks: 1 })).toMatchObject({ ok: true })
  }
}

const resultOf = <T>(text: string): T => (JSON.parse(text) as { readonly result: T }).result
const withoutTime = (text: string): string => text.replace(/"@extra":"[^"]*"/, '')
const textOf = encodeURIComponent

async function headOf(caller: Caller): Promise<number> {
  const { text } = await caller.get('/api/v2/getMasterchainInfo')
  return resultOf<{ readonly last: { readonly seqno: number } }>(text).last.seqno
}

/** Reads of the history about one block, answered ones and refused ones. */
async function readsAbout(caller: Caller, workchain: number, seqno: number): Promise<string[]> {
  const block = `workchain=${workchain}&shard=${SHARD}&seqno=${seqno}`
  const lists = [`/api/v2/getBlockTransactions?${block}`, `/api/v2/getBlockTransactionsExt?${block}`]
  const { text } = await caller.get(lists[0] ?? '')
  const paths = [...lists, `/api/v2/getBlockHeader?${block}`, `/api/v2/lookupBlock?${block}`]
  for (const { account, lt, hash } of resultOf<{ readonly transactions: readonly Transaction[] }>(text).transactions) {
    const from = `address=${textOf(account)}&lt=${lt}&hash=${textOf(hash)}`
    paths.push(`/api/v2/getTransactions?${from}&limit=20`, `/api/v2/getTransactionsStd?${from}&limit=3`)
    paths.push(`/api/v2/getTransactions?address=${textOf(account)}&lt=${lt}1&hash=${textOf(hash)}`)
    paths.push(`/api/v2/getTransactions?address=${textOf(account)}&lt=${lt}&hash=${textOf('A'.repeat(43))}%3D`)
    for (const limit of [1, 3, 20])
      paths.push(...['', 'Std'].map((of) => `/api/v2/getTransactions${of}?address=${textOf(account)}&limit=${limit}`))
    paths.push(
      `/api/v2/getTransactions?address=${textOf(account)}&lt=${lt}`,
      `/api/v2/getTransactions?address=5:${'ab'.repeat(32)}`,
    )
    paths.push(`/api/v2/lookupBlock?workchain=${workchain}&shard=${SHARD}&lt=${lt}`)
    const found = await caller.get(`/api/v2/getTransactions?${from}&limit=1`)
    const [one] = resultOf<readonly { readonly in_msg?: Record<string, string> }[]>(found.text)
    const { source = '', destination = '', created_lt: createdLt } = one?.in_msg ?? {}
    if (source === '' || destination === '') continue
    const message = `source=${textOf(source)}&destination=${textOf(destination)}&created_lt=${createdLt}`
    for (const name of ['tryLocateTx', 'tryLocateResultTx', 'tryLocateSourceTx'])
      paths.push(`/api/v2/${name}?${message}`, `/api/v2/${name}?${message}1`)
  }
  return paths
}

/** One caller of each process: the first is the one that owns the chain. */
async function processesOf(service: RunningService): Promise<Caller[] & Disposable> {
  // Paths of streams are answered by the owner, on every connection, which is used for nothing else.
  using relayed = new Caller(service)
  const { by: owner } = await relayed.get('/api/streaming/v2/nothing')
  const byProcess = await callerOfEach(service, 3)
  const all = [...byProcess].sort(([by]) => (by === owner ? -1 : 1)).map(([, caller]) => caller)
  return Object.assign(all, {
    [Symbol.dispose]() {
      for (const one of byProcess.values()) one[Symbol.dispose]()
    },
  })
}

/** Reads of the history of the newest blocks are answered alike by all processes. */
async function compare(service: RunningService, blocks: number): Promise<void> {
  using all = await processesOf(service)
  const head = await headOf(all[0] ?? new Caller(service))
  let answered = 0
  for (const workchain of [-1, 0])
    for (let seqno = Math.max(2, head - blocks); seqno < head; seqno++)
      for (const path of await readsAbout(all[seqno % 3] ?? new Caller(service), workchain, seqno)) {
        const [right, ...others] = await Promise.all(all.map((one) => one.get(path)))
        answered += right?.status === 200 ? 1 : 0
        const shown = (reply = right) => [path, reply?.status, withoutTime(reply?.text ?? '')]
        for (const other of others) expect(shown(other)).toEqual(shown())
      }
  expect(answered).toBeGreaterThan(40)
}

test('history is read by the process that was asked, with the answers of the owner', async () => {
  const data = await folderOf()
  await using service = await started(data)
  await mine(service, 5)
  await compare(service, 4)
  // What only the archive can answer, asked for the first time.
  using all = await processesOf(service)
  const [owner, ...workers] = all
  if (owner === undefined) throw new Error('there is no owner')
  const head = await headOf(owner)
  const { text } = await owner.get(`/api/v2/getBlockTransactions?workchain=0&shard=${SHARD}&seqno=${head - 2}`)
  const [one] = resultOf<{ readonly transactions: readonly Transaction[] }>(text).transactions
  const from = `address=${textOf(one?.account ?? '')}&lt=${one?.lt}&hash=${textOf(one?.hash ?? '')}`
  process.kill(service.child.pid ?? 0, 'SIGSTOP')
  try {
    for (const worker of workers)
      for (const path of [
        `/api/v2/getTransactions?${from}&limit=7`,
        `/api/v2/lookupBlock?workchain=-1&shard=${SHARD}&lt=${one?.lt}`,
        `/api/v2/getBlockTransactions?workchain=0&shard=${SHARD}&seqno=${head - 3}&count=3`,
      ])
        expect([path, (await worker.get(path)).status]).toEqual([path, 200])
  } finally {
    process.kill(service.child.pid ?? 0, 'SIGCONT')
  }
})

test('a chain that goes another way, workers that end, files that are damaged, and a new owner', async () => {
  const data = await folderOf()
  {
    await using service = await started(data)
    using owner = new Caller(service)
    await mine(service, 2)
    const { result: mark = {} } = await owner.ask('dev.snapshot')
    await mine(service, 3)
    const undone = await headOf(owner)
    const block = `workchain=-1&shard=${SHARD}&seqno=${undone}`
    const { text } = await owner.get(`/api/v2/lookupBlock?${block}`)
    const id = resultOf<{ readonly root_hash: string; readonly file_hash: string }>(text)
    const header = `${block}&root_hash=${textOf(id.root_hash)}&file_hash=${textOf(id.file_hash)}`
    const found = async (): Promise<number[]> => {
      using all = await processesOf(service)
      return await Promise.all(all.map(async (one) => (await one.get(`/api/v2/getBlockHeader?${header}`)).status))
    }
    expect(await found()).toEqual([200, 200, 200])
    expect(await owner.ask('dev.revert', mark as Record<string, unknown>)).toMatchObject({ ok: true })
    expect(await found()).toEqual([500, 500, 500])
    await mine(service, 5)
    expect(await found()).toEqual([500, 500, 500])
    await compare(service, 4)
    // New workers know what came before them.
    const pids = workersOf(service)
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    await expect.poll(() => workersOf(service).filter((pid) => !pids.includes(pid)).length).toBe(2)
    await ready(service)
    await compare(service, 3)
    const file = await open(join(data, 'chain', 'transactions.data'), 'r+')
    const { size } = await file.stat()
    for (let at = 3; at < size; at += 997) await file.write(Buffer.from([at]), 0, 1, at)
    await file.close()
    await compare(service, 3)
    service.child.kill('SIGKILL')
    await once(service.child, 'exit')
  }
  await using service = await started(data)
  await compare(service, 3)
})
