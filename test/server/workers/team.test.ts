// Worker processes that do not behave, in the place of real ones.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Seats } from '../../../server/http/index.ts'
import { Team } from '../../../server/workers/index.ts'

const refuse = (): never => {
  throw new Error('no worker of these tests asks anything')
}

/** A team of one worker that runs this script. */
async function teamOf(script: string, stuckMs?: number) {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-team-'))
  const path = join(folder, 'worker.mjs')
  await writeFile(path, script)
  const lines: string[] = []
  const team = new Team({
    ...{ count: 1, entry: { path, execArgv: [] }, setup: {}, heapMb: 64 },
    seats: new Seats({ connections: 10, connectionsPerAddress: 10, sockets: 10 }, () => false),
    owner: {
      ...{ call: refuse, identify: refuse, spend: refuse, readable: refuse, readiness: refuse, examples: refuse },
      ...{
        metrics: refuse,
        keys: refuse,
        webhooks: refuse,
        used: refuse,
        called: refuse,
        barred: refuse,
        liar: refuse,
        sources: refuse,
        requested: refuse,
      },
    },
    heads: () => ({ chain: null, proven: null, index: null }),
    log: { error: (_facts: unknown, line?: string) => lines.push(line ?? '') },
    ...(stuckMs === undefined ? {} : { stuckMs }),
  })
  onTestFinished(async () => {
    await team.close(0)
    await rm(folder, { recursive: true, force: true })
  })
  return { team, lines }
}

test('a worker that answers no more is ended and started again', async () => {
  const { team, lines } = await teamOf(`process.on('message', () => process.send('ready'))`, 300)
  await expect.poll(() => team.restarts).toBeGreaterThan(0)
  expect(lines.slice(0, 2)).toEqual([
    'worker process stuck: it is ended',
    'worker process ended: its connections are lost',
  ])
})

test('a worker that ends at its start is started again, later each time, and never gets a connection', async () => {
  const { team, lines } = await teamOf('process.exit(3)')
  await expect.poll(() => team.restarts).toBeGreaterThan(2)
  expect(team.ready).toBe(0)
  expect(new Set(lines)).toEqual(new Set(['worker process ended: its connections are lost']))
})
