// What a fork has kept of its network, and is not what it was kept as.

import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { beginCell, type Cell } from '../../../server/cell/index.ts'
import { ForkedNetwork } from '../../../server/devchain/fork/forkedNetwork.ts'
import { readForkStart } from '../../../server/devchain/fork/forkPoint.ts'
import { NOT_KEPT } from '../../../server/devchain/fork/keptCells.ts'
import { createEmbeddedChain, type Devchain } from '../../../server/devchain/index.ts'
import type { Chain } from '../../../server/node/index.ts'
import { storeShardAccount, toCell } from '../../../server/tlb/index.ts'
import { temporaryFolder } from './devchains.ts'
import { fork, idOf, network, reached } from './forks.ts'
import { account, coins, transfer, type Wallet } from './wallets.ts'

async function forkable() {
  const { chain: source, scene } = await network()
  const [first, second] = scene.wallets
  if (first === undefined || second === undefined) throw new Error('No wallets')
  return { source, first, second }
}

async function keptNow(source: Devchain, { address }: Wallet): Promise<Cell> {
  const there = createEmbeddedChain(source)
  const { shardAccount } = await there.account((await there.head()).id, idOf(address))
  if (shardAccount === null) throw new Error('No account')
  return toCell(shardAccount, storeShardAccount)
}

/** Reads the account with a file that holds this, then without the network. */
async function readKept(source: Devchain, { address }: Wallet, was: Cell, point: ForkedNetwork['point']) {
  let kept = was
  const cells = {
    read: async () => kept,
    write: async (_: string, cell: Cell) => {
      kept = cell
    },
  }
  const lines: string[] = []
  const parts = { point, kept: cells, warn: (line: string) => lines.push(line) }
  const there = createEmbeddedChain(source)
  const found = await new ForkedNetwork({ ...parts, chain: async () => there }).account(idOf(address))
  const away = new ForkedNetwork({ ...parts, chain: () => Promise.reject(new Error('away')) })
  expect((await away.account(idOf(address)))?.account.hash()).toBe(found?.account.hash())
  return { found, lines }
}

const pointOf = async (source: Devchain) => (await readForkStart(createEmbeddedChain(source), null)).point

test('behavior: a kept file that is no account, or another one, is read from the network again, and replaced', async () => {
  const { source, first, second } = await forkable()
  const point = await pointOf(source)
  const wanted = (await keptNow(source, first)).hash()
  for (const kept of [beginCell().storeUint(7, 8).end(), await keptNow(source, second)]) {
    const { found, lines } = await readKept(source, first, kept, point)
    expect(found && toCell(found, storeShardAccount).hash()).toBe(wanted)
    expect(lines).toEqual(['A kept file of the fork does not hold the account it is named after, which is read again'])
  }
  expect((await readKept(source, first, await keptNow(source, first), point)).lines).toEqual([])
})

test('behavior: so is one of a later block than that of the fork', async () => {
  const { source, first } = await forkable()
  const point = await pointOf(source)
  const was = await keptNow(source, first)
  await source.send(transfer(first, { to: account(0x41), value: coins(1) }))
  const { found } = await readKept(source, first, await keptNow(source, first), point)
  expect(found && toCell(found, storeShardAccount).hash()).toBe(was.hash())
})

test('error: that what was read cannot be kept is said once, and reads go on', async () => {
  const { source, first, second } = await forkable()
  const said: unknown[] = []
  const full = async () => {
    throw Object.assign(new Error(`ENOSPC: no space left on device, open '${said.length}.tmp'`), { code: 'ENOSPC' })
  }
  const kept = { read: async () => null, write: full }
  const warn = (line: string, facts: unknown) => said.push([line, facts])
  const there = createEmbeddedChain(source)
  const read = new ForkedNetwork({ point: await pointOf(source), kept, warn, chain: async () => there })
  for (const { address } of [first, second]) expect(await read.account(idOf(address))).not.toBeNull()
  expect(said).toEqual([
    [
      'What is read from the network of the fork cannot be kept: lite servers forget it after a day or so',
      { error: 'no space is left on the disk' },
    ],
  ])
})

test('behavior: what a killed process was writing is removed at the next start, and nothing else', async () => {
  const { source, first } = await forkable()
  const folder = await temporaryFolder()
  const options = { fork: { chain: async () => createEmbeddedChain(source), folder: join(folder, 'read') } }
  const { chain } = await fork(reached(source), { folder: join(folder, 'chain'), ...options })
  await createEmbeddedChain(chain).account((await createEmbeddedChain(chain).head()).id, idOf(first.address))
  await chain.close()
  const files = () => readdir(join(folder, 'read'), { recursive: true })
  const before = await files()
  const [point = ''] = before
  await mkdir(join(folder, 'read', point, 'ff'), { recursive: true })
  await writeFile(join(folder, 'read', point, 'ff', '0.00ff.7-00000000.tmp'), 'half')
  await fork(reached(source), { folder: join(folder, 'chain'), ...options })
  const after = await files()
  expect(after.filter((name) => name.endsWith('.tmp'))).toEqual([])
  expect(after).toEqual(expect.arrayContaining(before))
})

test('behavior: large accounts leave the memory before they fill it, and small ones stay', async () => {
  const { source } = await forkable()
  const there = createEmbeddedChain(source)
  // As many cells as an account may have, the same for all.
  let tree = beginCell().end()
  for (let branch = 0; branch < 64; branch++) {
    let end = beginCell().end()
    for (let i = 0; i < 900; i++) end = beginCell().storeUint(branch, 32).storeUint(i, 32).storeRef(end).end()
    tree = beginCell().storeRef(end).storeRef(tree).end()
  }
  const reads: number[] = []
  const chain: Chain = {
    ...there,
    async account(block, { workchain, hash }) {
      const number = hash[0] ?? 0
      reads.push(number)
      const shardAccount = { account: number === 0 ? beginCell().end() : tree, lastTransLt: 1n, lastTransHash: hash }
      return { ...(await there.account(block, { workchain, hash })), shardAccount }
    },
  }
  const network = new ForkedNetwork({
    point: await pointOf(source),
    kept: NOT_KEPT,
    warn: () => undefined,
    chain: async () => chain,
  })
  const read = (number: number) => network.account({ workchain: 0, hash: new Uint8Array(32).fill(number) })
  const numbers = Array.from({ length: 12 }, (_, number) => number)
  for (const number of numbers) {
    await read(number)
    await read(0)
  }
  expect(reads).toEqual(numbers)
  await read(11)
  await read(1)
  expect(reads).toEqual([...numbers, 1])
})
