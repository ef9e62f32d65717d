// Workers that run a script of a test, in the place of real ones.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ConnectionSeats } from '../../server/http/index.ts'
import { callsOf } from '../../server/observe/index.ts'
import { Team } from '../../server/workers/index.ts'

/** What the script may import. */
export const CHANNEL = new URL('../../.build/server/workers/workerChannel.js', import.meta.url).href

const unexpected = (): never => {
  throw new Error('no worker of these tests asks anything')
}

/** A team of one worker that runs this script. */
export async function teamOf(
  script: string,
  checkMs?: number,
  seats = new ConnectionSeats({ connections: 10, connectionsPerAddress: 10, sockets: 10 }, () => false),
) {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-team-'))
  const path = join(folder, 'worker.mjs')
  await writeFile(path, script)
  const lines: string[] = []
  const team = new Team({
    count: 1,
    entry: { path, execArgv: [] },
    setup: {},
    heapMb: 64,
    youngHeapMb: 48,
    seats,
    owner: {
      call: unexpected,
      identify: unexpected,
      spend: unexpected,
      readable: unexpected,
      readiness: unexpected,
      examples: unexpected,
      read: unexpected,
      metrics: unexpected,
      keys: unexpected,
      webhooks: unexpected,
      used: unexpected,
      called: unexpected,
      barred: unexpected,
      liar: unexpected,
      sources: unexpected,
      requested: unexpected,
      historyAfter: unexpected,
      lastTransactions: unexpected,
      stands: unexpected,
    },
    callsOf,
    heads: () => ({ chain: null, proven: null, index: null }),
    log: { error: (_facts: unknown, line?: string) => lines.push(line ?? '') },
    ...(checkMs === undefined ? {} : { checkMs }),
  })
  onTestFinished(async () => {
    await team.close(0)
    await rm(folder, { recursive: true, force: true })
  })
  return { team, lines }
}
