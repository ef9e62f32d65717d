// One message sent through two processes at once, and one that is waited for while the service is stopped, killed and started.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Body, post, sendAndWait } from '../../setup/calls.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { type RunningService, readerFlags, startBuilt } from '../../setup/runningService.ts'
import { eventually, openWallet } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const PATH = '/api/v3/sendAndWait'
const PATIENT = ['--call-ms', '60000', '--statement-ms', '60000', '--limits', 'off']

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  onTestFinished(() => rm(made, { recursive: true, force: true, maxRetries: 5 }))
  return made
}

async function started(args: readonly string[]): Promise<RunningService> {
  const service = await startBuilt([...PATIENT, ...args])
  onTestFinished(() => service[Symbol.asyncDispose]())
  return service
}

/** The answer, and its status as `code`. */
const wait = async (service: RunningService, boc: string): Promise<Body> => {
  const { status, body } = await sendAndWait(service, { boc })
  return { ...body, code: status }
}

const inBlocks = async ({ url }: RunningService, hash: unknown): Promise<number> => {
  const reply = await fetch(`${url}/api/v3/messages?msg_hash=${encodeURIComponent(String(hash))}`)
  return ((await reply.json()) as { messages: readonly unknown[] }).messages.length
}

describe.runIf(drivers.includes('postgres'))('two processes over one database', () => {
  test('that are given one message at once execute it once, and both tell its end', async () => {
    const top = await folder()
    const database = await emptyDatabase()
    onTestFinished(() => dropDatabase(database))
    const chain = await started(['--data', join(top, 'chain'), '--lite-port', '0', '--mining', 'manual'])
    const start = (name: string, role: string) =>
      started(['--data', join(top, name), ...readerFlags(chain, { role, database }), '--workers', '1'])
    const both = [await start('one', 'both'), await start('two', 'api')]
    const wallet = await openWallet(chain)
    for (let i = 0; i < 3; i++) {
      const boc = wallet.sign(RECEIVER)
      let isOver = false
      const ends = Promise.all([...both, ...both].map((one) => wait(one, boc))).finally(() => {
        isOver = true
      })
      while (!isOver) {
        await wallet.mine()
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      const all = await ends
      expect(all.map(({ code, status }) => [code, status])).toEqual(all.map(() => [200, 'finalized']))
      const traces = all.map(({ trace }) => (trace as { trace_id?: string }).trace_id)
      expect(new Set(traces).size).toBe(1)
      for (const one of both) expect(await inBlocks(one, all[0]?.message_hash_norm)).toBe(1)
    }
  })
})

test.each(['SIGTERM', 'SIGKILL'] as const)('waited for through a %s, it is executed once', async (signal) => {
  const data = await folder()
  const start = () => started(['--data', data, '--mining', 'manual'])
  let service = await start()
  const wallet = await openWallet(service)
  const bocs = [wallet.sign(RECEIVER), wallet.sign(RECEIVER)]
  // The first is in a block when the service goes, the second is not.
  const [first = '', second = ''] = bocs
  const early = wait(service, first)
  const state = async () => (await wallet.client.dev.state()).pending
  await eventually(async () => ((await state()) === 1 ? true : undefined))
  await wallet.mine()
  expect(await early).toMatchObject({ code: 200, status: 'finalized' })
  const waiting = post(service, PATH, { boc: second, timeout_ms: 30_000 }).then(
    ({ status }) => status,
    () => 0,
  )
  await eventually(async () => ((await state()) === 1 ? true : undefined))
  service.child.kill(signal)
  const cut = await waiting
  // One that stops says that the message is on its way; one that is killed says nothing.
  expect(cut).toBe(signal === 'SIGTERM' ? 408 : 0)
  await service.ended
  service = await start()
  const again = await openWallet(service)
  const all = bocs.map((boc) => wait(service, boc))
  await eventually(async () => ((await again.client.dev.state()).pending === 1 ? true : undefined))
  await again.mine()
  for (const { code, status, message_hash_norm } of await Promise.all(all)) {
    expect([code, status]).toEqual([200, 'finalized'])
    expect(await inBlocks(service, message_hash_norm)).toBe(1)
  }
})
