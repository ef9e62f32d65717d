// A service that is killed again and again while blocks are made: a client of the package comes back by itself, and what it has
// heard is what v3 has.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type StreamNotification, stream } from '../../../client/ws.ts'
import { ask } from '../../setup/calls.ts'
import { startBuilt } from '../../setup/runningService.ts'
import { eventually, type Frame, openWallet } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const KILLS = 2
const STEPS = 3
/** Of one call, whose time is bounded. */
const BLOCKS = 15
/** `KILLED_BLOCKS=1000` makes it a longer run. */
const LEAST = Number(process.env.KILLED_BLOCKS ?? 150)
const CALLS = Math.ceil(LEAST / ((KILLS + 1) * STEPS * BLOCKS))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const rowsOf = (all: readonly StreamNotification[], name: string): readonly Frame[] =>
  all.flatMap((one) => (one[name] as readonly Frame[] | undefined) ?? [])

test('killed within many blocks, it leaves its readers without a gap and without repetition', {
  timeout: 1_200_000,
}, async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const port = String(await freePort())
  const start = async () => {
    // A busy machine must not meet a bound that this is not about.
    const patient = ['--call-ms', '120000', '--statement-ms', '120000']
    const started = await startBuilt(['--data', data, '--mining', 'manual', '--port', port, ...patient])
    onTestFinished(() => started[Symbol.asyncDispose]())
    return started
  }
  let service = await start()
  const { client, raw, send, mine } = await openWallet(service)
  const heard: StreamNotification[] = []
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const wish = { types: ['transactions', 'blocks'], addresses: [raw, RECEIVER] }
  const reading = (async () => {
    for await (const one of stream({ url: service.url, ...wish, signal: end.signal })) heard.push(one)
  })()
  // What came before its first notification it cannot resume behind.
  while (heard.length === 0) await mine()
  for (let kills = 0; kills <= KILLS; kills++) {
    for (let i = 0; i < STEPS; i++) {
      await send(RECEIVER, { comment: `number ${i}` })
      for (let calls = 0; calls < CALLS; calls++) await mine(BLOCKS)
    }
    if (kills === KILLS) break
    const before = heard.length
    const cut = mine(BLOCKS).catch(() => undefined)
    await eventually(() => (heard.length > before ? true : undefined))
    service.child.kill('SIGKILL')
    await Promise.all([cut, service.ended])
    service = await start()
  }
  const { last } = await client.getMasterchainInfo()
  const blocks = () => heard.flatMap(({ block }) => (block === undefined ? [] : [block as Frame]))
  const masters = () => blocks().filter(({ workchain }) => workchain === -1)
  await eventually(() => masters().find(({ seqno }) => seqno === last.seqno), 'the last block was not heard')
  // Transactions of a block come before it.
  end.abort()
  await reading
  const first = Number(masters()[0]?.seqno)
  expect(last.seqno - first).toBeGreaterThanOrEqual(LEAST)

  const listed: Frame[] = []
  for (let offset = 0; ; offset += 500) {
    const { body } = await ask(service, `/api/v3/blocks?workchain=-1&limit=500&offset=${offset}&sort=asc`)
    const page = body.blocks as readonly Frame[]
    listed.push(...page.filter(({ seqno }) => Number(seqno) >= first))
    if (page.length < 500) break
  }
  const hashesOf = (all: readonly Frame[]) => all.map(({ seqno, root_hash }) => `${seqno} ${root_hash}`)
  expect(hashesOf(masters())).toEqual(hashesOf(listed))
  const query = `account=${encodeURIComponent(raw)}&account=${RECEIVER}&limit=500&sort=asc`
  const { body } = await ask(service, `/api/v3/transactions?${query}`)
  const known = (body.transactions as readonly Frame[]).filter(({ mc_block_seqno }) => Number(mc_block_seqno) >= first)
  const sorted = (all: readonly Frame[]) => all.map(({ hash }) => String(hash)).sort()
  expect(known).toHaveLength((KILLS + 1) * STEPS * 2)
  expect(sorted(rowsOf(heard, 'transactions'))).toEqual(sorted(known))
})
