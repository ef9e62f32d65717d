// Keys of two processes over one PostgreSQL, and secrets that files hold.

import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createFileKeyStore, createFileUsageStore, dayOf, monthOf } from '../../../server/access/index.ts'
import { withSecrets } from '../../../server/app/settings/secretFiles.ts'
import { Settings } from '../../../server/app/settings/settings.ts'
import type { Command } from '../../../server/cli/command.ts'
import { keysCommand } from '../../../server/cli/keys/command.ts'
import { plansCommand } from '../../../server/cli/plans/command.ts'
import { createLog, type Log } from '../../../server/observe/index.ts'
import { ask, post } from '../../setup/calls.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { madeUp } from '../../setup/madeUp.ts'
import { serveMethods, type TestService } from '../../setup/service.ts'

const order = { network: 'devnet', plan: 'advanced', perSecond: null, label: '', expiresAt: null } as const
const silent = createLog({ format: 'json', level: 'silent' })
const TOKEN = 'a-token-of-an-operator'
const PATH = '/api/v2/subtract?minuend=42&subtrahend=23'

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'tonrpc-keys-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

async function runCommand(command: Command, argv: readonly string[]): Promise<readonly string[]> {
  const out: string[] = []
  const err: string[] = []
  const code = await command.run(argv, {
    env: {},
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  })
  return code === 0 ? out : err
}

const keysLines = (...argv: readonly string[]) => runCommand(keysCommand, argv)

describe.runIf(drivers.includes('postgres'))('over one PostgreSQL', () => {
  let address = ''
  const services: TestService[] = []
  beforeAll(async () => {
    address = await emptyDatabase()
    const config = { database: address, limits: 'on', adminToken: TOKEN } as const
    services.push(await serveMethods(madeUp(), { config }), await serveMethods(madeUp(), { config }))
  })
  afterAll(async () => {
    for (const service of services) await service[Symbol.asyncDispose]()
    await dropDatabase(address)
  })

  const statuses = (key: string) =>
    Promise.all(services.map(async (service) => (await ask(service, PATH, { headers: { 'X-API-Key': key } })).status))

  test('a key that the command line makes works on both, is counted by both, and ends on both', async () => {
    const place = ['--database', address, '--json']
    const made = JSON.parse((await keysLines('create', '--plan', 'advanced', '--monthly', '1000', ...place))[0] ?? '')
    await expect.poll(() => statuses(made.key)).toEqual([200, 200])
    const monthly = async () => {
      const { text } = await ask(services[0] ?? expect.fail(), '/api/keys/me', { headers: { 'X-API-Key': made.key } })
      return JSON.parse(text)
    }
    const rows = async () => {
      const [line = '[]'] = await keysLines('usage', '--key', made.id, ...place)
      return (JSON.parse(line) as { method: string; calls: number }[]).reduce((sum, { calls }) => sum + calls, 0)
    }
    await expect.poll(rows).toBeGreaterThanOrEqual(2)
    expect(await monthly()).toMatchObject({ id: made.id, plan: 'advanced', monthly: { limit: 1000 } })
    expect((await keysLines('usage', ...place.slice(0, 2))).join('\n')).toMatch(
      new RegExp(`KEY +CALLS +WEIGHT.*\\n[\\s\\S]*${made.id} +\\d+`),
    )
    await keysLines('revoke', made.id, ...place)
    await expect.poll(() => statuses(made.key)).toEqual([401, 401])
  })

  test('a plan that an operator makes and changes holds on both, and goes when no key has it', async () => {
    const place = ['--database', address]
    const one = services[0] ?? expect.fail()
    const two = services[1] ?? expect.fail()
    const admin = (service: TestService, path: string, body: object) =>
      post(service, `/api/admin/plans${path}`, body, { 'X-Admin-Token': TOKEN })
    const plansText = async (...argv: string[]) => (await runCommand(plansCommand, [...argv, ...place])).join('\n')
    expect((await admin(one, '', { name: 'gold', per_second: 50, webhooks: 3 })).status).toBe(201)
    expect((await admin(two, '', { name: 'gold', per_second: 60 })).status).toBe(409)
    expect(await plansText('list')).toMatch(/^NAME .*\nfree +10\/s +unlimited +50 .*\n[\s\S]*gold +50\/s .* 3\n/)
    expect(await plansText('create', 'silver', '--rps', '5')).toMatch(
      /keys create --plan silver --database postgres:\/\/\.\.\.$/,
    )
    const made = JSON.parse((await keysLines('create', '--plan', 'gold', ...place, '--json'))[0] ?? '')
    const rates = () =>
      Promise.all(
        services.map(async (service) => {
          const { text } = await ask(service, '/api/keys/me', { headers: { 'X-API-Key': made.key } })
          return `${JSON.parse(text).plan} ${JSON.parse(text).per_second}`
        }),
      )
    await expect.poll(rates).toEqual(['gold 50', 'gold 50'])
    expect(await plansText('change', 'gold', '--rps', '70', '--connections', 'unlimited')).toMatch(
      /gold +70\/s +unlimited +unlimited .*\nRunning services follow/,
    )
    await expect.poll(rates).toEqual(['gold 70', 'gold 70'])
    expect(await plansText('remove', 'gold')).toMatch(/gold is in use \(keys: 1\): revoke them or let them end first/)
    expect((await keysLines('list', ...place)).join('\n')).toMatch(/gold +70\/s/)
    await keysLines('revoke', made.id, ...place)
    expect((await admin(two, '/gold/remove', {})).body).toEqual({ name: 'gold', removed: true })
    expect(await plansText('change', 'gold', '--rps', '1')).toMatch(/no plan "gold". Names are in the first column/)
  })

  test('keys and usage of files move into the database, once, and the command line then asks for it', async () => {
    const data = await folder()
    const { key, record } = await createFileKeyStore(data).create({ ...order, monthly: 1000 })
    const keyId = record.id
    const now = Date.now()
    const counts = { method: 'subtract', calls: 700, weight: 700, errors: 0, limited: 0, bytes: 9 }
    const usage = [{ day: dayOf(now), keyId, ...counts }]
    const months = [{ month: monthOf(now), keyId, weight: 700 }]
    await createFileUsageStore(data).add({ writer: 'w', number: 1, usage, months })
    const counted = await readFile(join(data, 'keys-usage.json'))
    const config = { database: address, limits: 'on', data } as const
    const used = async (service: TestService) => {
      const { text } = await ask(service, '/api/keys/me', { headers: { 'X-API-Key': key } })
      return JSON.parse(text).monthly?.used
    }
    {
      await using service = await serveMethods(madeUp(), { config })
      await expect.poll(async () => (await ask(service, PATH, { headers: { 'X-API-Key': key } })).status).toBe(200)
      await expect.poll(() => readdir(data)).toContain('keys-usage.json.imported')
      await expect.poll(() => used(service)).toBeGreaterThan(700)
    }
    expect(await readdir(data)).toContain('keys.json.imported')
    expect((await keysLines('list', '--data', data)).join()).toMatch(
      /the keys of .* moved into a database: name it with --database or --database-file/,
    )
    // A process that was killed before the file had its new name counts nothing twice.
    await writeFile(join(data, 'keys-usage.json'), counted)
    await using again = await serveMethods(madeUp(), { config })
    await expect.poll(() => readdir(data)).not.toContain('keys-usage.json')
    expect((await keysLines('usage', '--key', keyId, '--database', address)).join()).toMatch(/ 70\d /)
    expect((await ask(again, PATH, { headers: { 'X-API-Key': key } })).status).toBe(200)
  })
})

test('a folder that is without its database again: the way back is named, and leads there', async () => {
  const data = await folder()
  const { key } = await createFileKeyStore(data).create(order)
  const file = join(data, 'keys.json')
  await rename(file, `${file}.imported`)
  const warned: string[] = []
  const log: Log = { ...silent, warn: (facts: object) => void warned.push(JSON.stringify(facts)) }
  const config = { limits: 'on', data } as const
  const status = async (service: TestService) => (await ask(service, PATH, { headers: { 'X-API-Key': key } })).status
  const wayBack = /moved into a database: name it with .* or rename keys\.json\.imported there to keys\.json/
  {
    await using service = await serveMethods(madeUp(), { config, log })
    expect([await status(service), warned]).toEqual([401, [expect.stringMatching(wayBack)]])
  }
  expect((await keysLines('list', '--data', data)).join()).toMatch(wayBack)
  await rename(`${file}.imported`, file)
  await using service = await serveMethods(madeUp(), { config, log })
  expect([await status(service), warned.length]).toEqual([200, 1])
})

test('error: keys of a database that does not answer', async () => {
  const lines = await keysLines('list', '--database', 'postgres://x:hidden@127.0.0.1:1/x')
  expect(lines.join()).toMatch(/^tonrpc: the keys cannot be read or written: .*127\.0\.0\.1/)
  expect(lines.join()).not.toContain('hidden')
})

describe('secrets in files', () => {
  const held = async (text: string) => {
    const path = join(await folder(), 'secret')
    await writeFile(path, text)
    return path
  }
  const from = (given: object) => withSecrets(Settings.parse(given))

  test('are read without the line end', async () => {
    const databaseFile = await held('postgres://a:b@host/name\n')
    const adminTokenFile = await held('0123456789abcdef\r\n')
    expect(from({ databaseFile, adminTokenFile })).toMatchObject({
      database: 'postgres://a:b@host/name',
      adminToken: '0123456789abcdef',
      controlToken: '',
    })
  })

  test('error: a file that is missing, empty, wrong, or given together with its value', async () => {
    expect(() => from({ databaseFile: '/no/such/file' })).toThrow(
      /--database-file: the file .* cannot be read \(ENOENT\)/,
    )
    const empty = await held('\n')
    const short = await held('short')
    const fine = await held('postgres://a@host/name')
    expect(() => from({ databaseReadFile: empty })).toThrow(/--database-read-file: the file .* must hold a value/)
    expect(() => from({ adminTokenFile: short })).toThrow(/must hold a secret of at least 16 ASCII characters/)
    expect(() => from({ databaseFile: short })).toThrow(
      /must hold pglite or an address of one host that begins with postgres/,
    )
    for (const other of [
      await held('postgres://a@one,two/name'),
      await held('postgres://\n'),
      await held('postgres:///'),
    ])
      expect(() => from({ databaseFile: other })).toThrow(/must hold pglite or an address of one host/)
    expect(() => from({ databaseFile: fine, database: 'postgres://c@host/name' })).toThrow(
      /--database and --database-file are both given: leave one out/,
    )
  })
})
