// An index in a PostgreSQL, dumped while it is being written: a service over the dump goes on from its last block.

import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { mainFile, startBuilt } from '../../setup/runningService.ts'

const hasDump = drivers.includes('postgres') && spawnSync('pg_dump', ['--version']).status === 0
const execute = promisify(execFile)

async function call<T>(url: string, method: string, params: unknown): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'Content-Type': 'application/json' }
  const reply = await (await fetch(`${url}/jsonRPC`, { method: 'POST', headers, body })).json()
  return (reply as { result: T }).result
}

/** More than are made while a dump begins; all of them are looked for in the end. */
const MOST = 150

interface Sent {
  readonly tx_hash: string
  readonly seqno: number
}

async function untilRead(url: string, { tx_hash, seqno }: Sent): Promise<void> {
  const headers = { 'X-Min-Seqno': String(seqno) }
  // A call waits for two seconds; a busy machine takes longer for what the dump lacks.
  const read = async (): Promise<unknown> =>
    (await fetch(`${url}/api/v3/transactions?hash=${encodeURIComponent(tx_hash)}`, { headers })).json()
  await expect.poll(read).toMatchObject({ transactions: [{ hash: tx_hash }] })
}

describe.runIf(hasDump)('a dump', () => {
  test('taken while blocks are indexed, with a backup of the chain after it', async () => {
    const top = await mkdtemp(join(tmpdir(), 'tonrpc-dump-'))
    const first = await emptyDatabase()
    const second = await emptyDatabase()
    const [data, copy, back] = ['data', 'copy', 'back'].map((name) => join(top, name)) as [string, string, string]
    try {
      const sent: Sent[] = []
      {
        await using service = await startBuilt(['--data', data, '--database', first])
        const give = async (i: number): Promise<Sent> => {
          const params = { address: `0:${i.toString(16).padStart(64, '0')}`, amount: '1000000000' }
          const one = await call<Sent>(service.url, 'dev.faucet', params)
          sent.push(one)
          return one
        }
        // From here on the index has its tables.
        await untilRead(service.url, await give(1))
        const sending = (async () => {
          for (let i = 2; i <= MOST; i++) await give(i)
        })()
        const dump = join(top, 'index.dump')
        await execute('pg_dump', ['--format=custom', `--file=${dump}`, first])
        await execute('pg_restore', ['--no-owner', `--dbname=${second}`, dump])
        await sending
        await execute(process.execPath, [mainFile, 'backup', copy, '--data', data, '--database', first])
      }
      await execute(process.execPath, [mainFile, 'restore', copy, '--data', back])
      await using service = await startBuilt(['--data', back, '--database', second])
      for (const one of sent) await untilRead(service.url, one)
    } finally {
      await dropDatabase(first)
      await dropDatabase(second)
      await rm(top, { recursive: true, force: true, maxRetries: 5 })
    }
  })
})
