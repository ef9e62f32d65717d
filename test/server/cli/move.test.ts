// From the embedded database to a PostgreSQL while the service runs: cut short, gone on with, checked, and served from there.

import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { call, ended, tonrpc } from '../../setup/commands.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { mainFile, type RunningService, run, startBuilt } from '../../setup/runningService.ts'

interface Sent {
  readonly tx_hash: string
  readonly seqno: number
}

/** Keeps others from writing a table, so that a copy stops in front of it. */
async function lockedTable(address: string, table: string): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(`begin; lock table ${table} in exclusive mode`)
  return { [Symbol.asyncDispose]: () => client.end() }
}

describe.runIf(drivers.includes('postgres'))('an embedded index', () => {
  let top = ''
  let target = ''
  let service: RunningService
  const path = (name: string): string => join(top, name)
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), 'tonrpc-move-'))
    target = await emptyDatabase()
    service = await startBuilt(['--data', path('data'), '--webhook-private'])
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await dropDatabase(target)
    await rm(top, { recursive: true, force: true, maxRetries: 5 })
  })

  const give = async (i: number) => {
    const params = { address: `0:${i.toString(16).padStart(64, '0')}`, amount: '1000000000' }
    return await call<Sent>(service.url, 'dev.faucet', params)
  }

  const webhooks = async (path = '', more: RequestInit = {}) =>
    await (await fetch(`${service.url}/webhooks${path}`, more)).json()
  const post = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })
  /** Nothing listens there: what is delivered does not change. */
  const endpoint = 'http://127.0.0.1:1/hook'
  const subscription = { types: ['transactions'], addresses: [`0:${'7'.repeat(64)}`] }

  const areFound = async (sent: readonly Sent[]): Promise<void> => {
    for (const { tx_hash, seqno } of sent) {
      const headers = { 'X-Min-Seqno': String(seqno) }
      const path = `/api/v3/transactions?hash=${encodeURIComponent(tx_hash)}`
      const read = async () => await (await fetch(service.url + path, { headers })).text()
      await expect.poll(read, { timeout: 300_000, interval: 100 }).toContain(`"hash":"${tx_hash}"`)
    }
  }

  test('is copied by a command that is killed and run again, and served from there', async () => {
    const sent = [await give(1), await give(2)]
    await areFound(sent)
    const { webhook_id: id } = await webhooks('', post({ endpoint, subscription }))
    await webhooks(`/${id}/account-tx/subscribe`, post({ accounts: [{ account_id: `0:${'8'.repeat(64)}` }] }))
    await webhooks(`/${id}/subscribe-msg-opcode/0x7362d09c`, post({}))
    expect(await ended('migrate', '--database', target)).toMatchObject({ code: 0 })
    {
      await using _lock = await lockedTable(target, 'messages')
      await using command = tonrpc('migrate', '--from', path('data'), '--database', target)
      await command.says(/copying: transactions 100 %/)
      command.child.kill('SIGKILL')
      await command.ended
    }
    const early = await ended('--port', '0', '--data', path('other'), '--seed', 'none', '--database', target)
    expect(early).toMatchObject({ code: 1, err: expect.stringMatching(/index is being copied.*tonrpc migrate --from/) })
    // The service goes on meanwhile: the copy is of an earlier moment.
    sent.push(await give(3))
    const moved = await ended('migrate', '--from', path('data'), '--database', target)
    expect(moved).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Copied \d+ rows up to block \d+; both sides have the same counts and hashes/),
    })
    expect(moved.err).not.toMatch(/copying files|copying: transactions/)
    expect(await readdir(path('data'))).not.toContain('moving.partial')
    service.child.kill('SIGTERM')
    await service.ended
    service = await startBuilt(['--data', path('data'), '--webhook-private', '--database', target])
    sent.push(await give(4))
    await areFound(sent)
    expect(await webhooks()).toMatchObject({
      webhooks: [{ id, endpoint, subscription, subscribed_accounts: 1, subscribed_msg_opcodes: 1 }],
    })
    expect(await webhooks('', post({ endpoint, subscription }))).toMatchObject({ webhook_id: id + 1 })
  })

  test('error: into a database that has an index, and from a folder without one', async () => {
    const again = await ended('migrate', '--from', path('data'), '--database', target)
    expect(again).toMatchObject({
      code: 1,
      err: expect.stringMatching(/the index was not copied: .*already|writes the index/),
    })
    expect(await readdir(path('data'))).not.toContain('moving.partial')
    const nothing = await ended('migrate', '--from', path('nothing'), '--database', target)
    expect(nothing).toMatchObject({ code: 1, err: expect.stringMatching(/nothing has no embedded index/) })
    expect(await ended('migrate', '--from', path('data'), '--database', target, '--dry-run')).toMatchObject({ code: 2 })
  })

  test.runIf(process.platform === 'linux')('error: without space it says so, and leaves nothing behind', async () => {
    const alone = path('alone')
    await cp(path('data/index/postgres'), join(alone, 'index/postgres'), { recursive: true })
    const other = await emptyDatabase()
    onTestFinished(() => dropDatabase(other))
    await using limited = run('prlimit', [
      '--fsize=65536',
      process.execPath,
      mainFile,
      'migrate',
      '--from',
      alone,
      '--database',
      other,
    ])
    expect(await limited.ended).toMatchObject({ code: 1 })
    expect(limited.stderr()).toMatch(
      /not copied: .*moving\.partial\S*: a file is larger than .*; it needs room for a copy/,
    )
    expect(await readdir(alone)).toEqual(['index'])
  })
})
