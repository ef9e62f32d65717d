// Services on a chain whose demo is over and indexed. It is played once a run, by the first file that needs it; each service
// begins with a copy of that folder.

import { existsSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient } from '../../client/index.ts'
import { hasCode } from '../../server/process/index.ts'
import { playedFolder } from './playedFolder.ts'
import { forAllTests, serve, type TestOptions } from './service.ts'
import { untilIndexed } from './untilIndexed.ts'

const ROOM_MS = 600_000
const PAUSE_MS = 100

async function play(data: string): Promise<void> {
  await using service = await serve({ withIndex: true, config: { seed: 'demo', data } })
  const client = createClient({ url: service.url, timeoutMs: ROOM_MS })
  // What changes the chain waits for the end of the demo.
  const { seqno } = await client.dev.mine({ blocks: 1 })
  await untilIndexed(client, seqno)
}

/** Whether this process is the one that makes it. */
async function begins(draft: string): Promise<boolean> {
  try {
    await mkdir(draft)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

async function played(): Promise<string> {
  const folder = playedFolder(process.ppid)
  const whole = join(folder, 'whole')
  const draft = join(folder, 'draft')
  await mkdir(folder, { recursive: true })
  while (!existsSync(whole)) {
    if (!(await begins(draft))) {
      await sleep(PAUSE_MS)
      continue
    }
    // It may have been finished between the two looks.
    if (existsSync(whole)) {
      await rm(draft, { recursive: true })
      break
    }
    try {
      await play(draft)
      await rename(draft, whole)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      throw error
    }
  }
  return whole
}

/** With an index unless `options` say otherwise. */
export async function servePlayed(options: TestOptions = {}) {
  const whole = await played()
  const begin = (data: string) => cp(whole, data, { recursive: true })
  return await serve({ withIndex: true, begin, ...options, config: { seed: 'demo', ...options.config } })
}

/** For a file of laws: a service of its own that makes blocks by hand, and calls that may take long. */
export function playedForAllTests(): { readonly url: () => string; readonly client: () => Client } {
  const service = forAllTests(() => servePlayed({ config: { mining: 'manual' } }))
  const url = (): string => service().url
  return { url, client: () => createClient({ url: url(), retry: false, timeoutMs: ROOM_MS }) }
}

export async function allOf<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const row of rows) found.push(row)
  return found
}
