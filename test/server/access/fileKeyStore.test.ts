import { readFileSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hashKey } from '../../../server/access/apiKeys.ts'
import { createFileKeyStore } from '../../../server/access/fileKeyStore.ts'
import type { KeyOrder } from '../../../server/access/keyRecord.ts'
import { STORE_LAG } from '../../../server/access/keyStore.ts'
import { exitOf, spoke, startChild } from '../../setup/children.ts'
import { HandClock } from '../../setup/handClock.ts'
import { longestJson } from '../../setup/longestJson.ts'
import { temporaryFolder } from './temporaryFolder.ts'

const order: KeyOrder = { network: 'devnet', plan: 'free', perSecond: null, label: 'a', expiresAt: null }

const CREATE = `
const { createFileKeyStore } = await import(built + 'access/index.js')
const store = createFileKeyStore(process.argv[1])
const count = Number(process.argv[2])
for (let i = 0; i < count; i++) {
  const { key } = await store.create({ network: 'devnet', plan: 'free', perSecond: null, label: process.argv[3] + i, expiresAt: null })
  console.log(key)
}`

async function setup() {
  const folder = await temporaryFolder()
  const clock = { ms: Date.now() }
  const reports: Error[] = []
  const options = { now: () => clock.ms, report: (error: Error) => void reports.push(error) }
  return { folder, file: join(folder, 'keys.json'), clock, reports, store: createFileKeyStore(folder, options) }
}

const openFiles = async (): Promise<readonly string[]> =>
  await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))

describe('keys', () => {
  test('default: create, find, list; the file has the hash and not the secret', async () => {
    const { store, file, clock } = await setup()
    const { key, record } = await store.create(order)
    expect(await store.find(hashKey(key))).toEqual(record)
    expect(await store.list()).toEqual([{ ...record, ...order, createdAt: clock.ms }])
    const text = await readFile(file, 'utf8')
    expect(text).toContain(hashKey(key))
    expect(text).not.toContain(key.slice(14, -4))
  })

  test.runIf(process.platform === 'linux')(
    'behavior: the file is closed when it was read, also a damaged one',
    async () => {
      const { store, file, folder } = await setup()
      await store.create(order)
      expect(await createFileKeyStore(folder).list()).toHaveLength(1)
      await writeFile(file, '{')
      await expect(createFileKeyStore(folder).list()).rejects.toThrow(/damaged/)
      expect(await openFiles()).not.toContain(file)
    },
  )

  test('behavior: nothing is made by reading', async () => {
    const { store, folder } = await setup()
    expect(await store.list()).toEqual([])
    expect(await store.find('0'.repeat(64))).toBeNull()
    await store.close()
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('behavior: ten thousand keys are read and written in pieces, and the file looks as it did', async () => {
    const { store, folder, file } = await setup()
    const { record } = await store.create(order)
    const { lastUsedAt: _, ...kept } = record
    const hashOf = (i: number) => i.toString(16).padStart(64, '0')
    const keys = Array.from({ length: 10_000 }, (_, i) => ({
      ...kept,
      id: `k${i}00`,
      hash: hashOf(i),
      label: `\n"${i}`,
    }))
    await writeFile(file, JSON.stringify({ version: 1, keys }))
    const used = keys.map(({ hash }, i) => [hash, i + 1])
    await writeFile(join(folder, 'keys-used.json'), JSON.stringify({ version: 1, used: Object.fromEntries(used) }))
    const longest = await longestJson(async () => {
      const { record: added } = await store.create({ ...order, label: 'one more' })
      await store.revoke('k500')
      await store.touch(hashOf(7), 9e12)
      await store.close()
      const all = await store.list()
      expect(all.length).toBe(10_001)
      expect(all.find(({ id }) => id === added.id)).toEqual(added)
      expect(all.find(({ id }) => id === 'k700')).toMatchObject({ label: '\n"7', lastUsedAt: 9e12 })
      expect(all.find(({ id }) => id === 'k500')?.revokedAt).not.toBeNull()
    })
    expect(longest).toBeLessThan(150_000)
    const text = await readFile(file, 'utf8')
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
  })

  test('behavior: a file that an editor has put a byte order mark in front of is read as before', async () => {
    const { store, file } = await setup()
    const { record } = await store.create(order)
    await writeFile(file, `\uFEFF${await readFile(file, 'utf8')}`)
    expect(await createFileKeyStore(join(file, '..')).find(record.hash)).toEqual(record)
    await store.revoke(record.id)
    expect(await createFileKeyStore(join(file, '..')).list()).toMatchObject([{ id: record.id }])
  })

  test('behavior: for the eyes of the owner alone', async () => {
    const { store, file, folder } = await setup()
    await store.create(order)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('behavior: rotate and revoke are in the file', async () => {
    const { store, folder, clock } = await setup()
    const first = await store.create(order)
    const second = await store.rotate(first.record.id, 1000)
    const other = createFileKeyStore(folder)
    expect(await other.find(hashKey(first.key))).toMatchObject({ id: first.record.id, expiresAt: clock.ms + 1000 })
    expect(await other.find(hashKey(second.key))).toEqual(second.record)
    expect(await store.revoke(first.record.id)).toHaveLength(2)
    expect((await createFileKeyStore(folder).list()).map((record) => record.revokedAt)).toEqual([clock.ms, clock.ms])
  })

  test('error: an id that is not in use changes nothing', async () => {
    const { store, file } = await setup()
    await store.create(order)
    const before = await readFile(file, 'utf8')
    await expect(store.rotate('__proto__', 0)).rejects.toMatchObject({ reason: 'notFound' })
    await expect(store.revoke('constructor')).rejects.toMatchObject({ reason: 'notFound' })
    expect(await readFile(file, 'utf8')).toBe(before)
  })

  test.each(['__proto__', 'constructor', '', '\0', 'x'.repeat(10_000)])('error: find of %j', async (hash) => {
    const { store } = await setup()
    await store.create(order)
    expect(await store.find(hash)).toBeNull()
  })
})

describe('changes by other processes', () => {
  test('behavior: noticed after the lag, not before', async () => {
    const { store, folder, clock } = await setup()
    const writer = createFileKeyStore(folder)
    const first = await writer.create(order)
    expect(await store.find(hashKey(first.key))).not.toBeNull()
    await writer.revoke(first.record.id)
    clock.ms += STORE_LAG - 1
    expect(await store.find(hashKey(first.key))).toMatchObject({ revokedAt: null })
    clock.ms += 1
    expect(await store.find(hashKey(first.key))).toMatchObject({ revokedAt: expect.any(Number) })
  })

  test('behavior: a file that did not change is not read again', async () => {
    const { store, clock } = await setup()
    const { record } = await store.create(order)
    const longest = await longestJson(async () => {
      clock.ms += STORE_LAG
      expect(await store.find(record.hash)).not.toBeNull()
    })
    expect(longest).toBe(0)
  })

  test('behavior: noticed although the clock was set back', async () => {
    const { store, folder, clock } = await setup()
    await store.find('')
    clock.ms -= 3_600_000
    const { key } = await createFileKeyStore(folder).create(order)
    expect(await store.find(hashKey(key))).not.toBeNull()
  })

  test('behavior: a writer with an old picture in memory does not undo them', async () => {
    const { store, folder } = await setup()
    await store.create(order)
    await createFileKeyStore(folder).create(order)
    await store.create(order)
    expect(await store.list()).toHaveLength(3)
  })

  test.each([true, false])(
    'behavior: a file that is a link stays one: what is revoked in one folder is in all (made before: %s)',
    async (isMade) => {
      const { store, clock, folder } = await setup()
      const other = await setup()
      const first = isMade ? await store.create(order) : null
      await mkdir(folder, { recursive: true })
      await mkdir(other.folder, { recursive: true })
      await symlink(folder, join(other.folder, '..data'))
      await symlink(join('..data', 'keys.json'), other.file)
      const { key, record } = await other.store.create(order)
      expect((await lstat(other.file)).isSymbolicLink()).toBe(true)
      expect((await store.list()).map(({ id }) => id)).toEqual([...(first ? [first.record.id] : []), record.id])
      await store.revoke(record.id)
      other.clock.ms = clock.ms + STORE_LAG
      expect(await other.store.find(hashKey(key))).toMatchObject({ revokedAt: clock.ms })
      expect((await readdir(folder)).filter((name) => name.includes('lock'))).toEqual([])
    },
  )

  test('behavior: two processes writing at once lose nothing', async () => {
    const { store, folder } = await setup()
    const children = ['left', 'right'].map((name) => startChild(CREATE, [folder, '25', name]))
    const own = Array.from({ length: 10 }, (_, i) => store.create({ ...order, label: `own${i}` }))
    await Promise.all(own)
    expect(await Promise.all(children.map(exitOf))).toEqual([0, 0])
    const labels = (await store.list()).map((record) => record.label)
    expect(new Set(labels).size).toBe(60)
    expect(await readdir(folder)).toEqual(['keys.json'])
  })

  test('behavior: a reader never meets a half-written file', async () => {
    const { folder, file } = await setup()
    const child = startChild(CREATE, [folder, '1000000', ''])
    await spoke(child)
    for (let i = 0; i < 2_000; i++) expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1 })
    expect(child.exitCode).toBeNull()
  })

  test('behavior: a writer killed at any moment leaves a whole file and every key it had shown', async () => {
    const { store, folder } = await setup()
    for (let round = 0; round < 6; round++) {
      const child = startChild(CREATE, [folder, '1000000', `round${round}-`])
      let shown = ''
      child.stdout.on('data', (text) => (shown += String(text)))
      await spoke(child)
      await new Promise((done) => setTimeout(done, 5 + 17 * round))
      child.kill('SIGKILL')
      await exitOf(child)
      const hashes = new Set((await store.list()).map((record) => record.hash))
      const keys = shown.split('\n').slice(0, -1)
      expect(keys.length).toBeGreaterThan(0)
      expect(keys.filter((key) => !hashes.has(hashKey(key)))).toEqual([])
      await store.create(order)
      expect(await readdir(folder)).toEqual(['keys.json'])
    }
  })
})

describe('a damaged file', () => {
  const row = {
    id: 'abcdefghjk',
    hash: 'a'.repeat(64),
    hint: '',
    network: 'devnet',
    plan: 'free',
    perSecond: null,
    label: '',
    createdAt: 1,
    expiresAt: null,
    revokedAt: null,
  }
  const file = (...keys: object[]) => JSON.stringify({ version: 1, keys })

  test.each([
    ['nothing', '', 'not JSON'],
    ['half of it', '{"version":1,"keys":[{', 'not JSON'],
    ['something else', '[]', 'the whole'],
    ['a later version', '{"version":2,"keys":[]}', 'version'],
    ['a hash that is none', file({ ...row, hash: 'A'.repeat(64) }), 'keys.0.hash'],
    ['an unknown network', file({ ...row, network: 'moonnet' }), 'keys.0.network'],
    ['an unknown plan', file({ ...row, plan: '__proto__' }), 'keys.0.plan'],
    ['a rate where none belongs', file({ ...row, perSecond: 5 }), 'keys.0.perSecond'],
    ['a custom plan without a rate', file({ ...row, plan: 'custom' }), 'keys.0.perSecond'],
    ['an unknown field', file({ ...row, admin: true }), 'admin'],
    ['one key twice', file(row, { ...row, id: 'zzzzzzzzzz' }), 'twice'],
  ])('error: %s', async (_, text, says) => {
    const { store, file: path, folder } = await setup()
    await mkdir(folder)
    await writeFile(path, text)
    const attempts = [store.list(), store.find(''), store.create(order), store.revoke('a'), store.rotate('a', 0)]
    for (const attempt of await Promise.allSettled(attempts))
      expect(attempt).toMatchObject({ reason: { reason: 'damaged', message: expect.stringContaining(path) } })
    await expect(store.list()).rejects.toThrow(says)
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(await readdir(folder)).toEqual(['keys.json'])
  })

  test('behavior: a running server keeps the keys it knew, says so once, and takes the mended file', async () => {
    const { store, file: path, clock, reports } = await setup()
    const { key } = await store.create(order)
    const good = await readFile(path, 'utf8')
    await writeFile(path, good.slice(0, -10))
    for (let i = 0; i < 3; i++) {
      clock.ms += STORE_LAG
      expect(await store.find(hashKey(key))).not.toBeNull()
    }
    expect(reports.map((error) => error.message)).toEqual([expect.stringContaining(path)])
    await writeFile(`${path}.new`, good)
    await rename(`${path}.new`, path)
    clock.ms += STORE_LAG
    expect(await store.find(hashKey(key))).not.toBeNull()
    expect(reports).toHaveLength(1)
  })

  test('behavior: a file that was taken away takes its keys with it', async () => {
    const { store, file: path, clock } = await setup()
    const { key } = await store.create(order)
    await rm(path)
    clock.ms += STORE_LAG
    expect(await store.find(hashKey(key))).toBeNull()
  })
})

describe('last use', () => {
  const used = async (folder: string) => JSON.parse(await readFile(join(folder, 'keys-used.json'), 'utf8'))

  test('behavior: written on close, the keys themselves untouched', async () => {
    const { store, folder, file } = await setup()
    const { key } = await store.create(order)
    const before = await stat(file)
    await store.touch(hashKey(key), 5000)
    await store.touch(hashKey(key), 4000)
    expect((await store.list())[0]?.lastUsedAt).toBe(5000)
    await store.close()
    await store.close()
    expect(await used(folder)).toEqual({ version: 1, used: { [hashKey(key)]: 5000 } })
    expect((await stat(join(folder, 'keys-used.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs)
    expect((await createFileKeyStore(folder).list())[0]?.lastUsedAt).toBe(5000)
    expect(await createFileKeyStore(folder).find(hashKey(key))).toMatchObject({ lastUsedAt: 5000 })
  })

  test('behavior: written once a minute while calls come', async () => {
    const timers = new HandClock()
    const folder = await temporaryFolder()
    const store = createFileKeyStore(folder, { after: timers.after })
    const { key } = await store.create(order)
    await store.touch(hashKey(key), 1000)
    await timers.advance(59_999)
    await expect(used(folder)).rejects.toMatchObject({ code: 'ENOENT' })
    await store.touch(hashKey(key), 2000)
    await timers.advance(1)
    await expect.poll(() => used(folder)).toMatchObject({ used: { [hashKey(key)]: 2000 } })
    await store.touch(hashKey(key), 3000)
    expect(await used(folder)).toMatchObject({ used: { [hashKey(key)]: 2000 } })
    await timers.advance(60_000)
    await expect.poll(() => used(folder)).toMatchObject({ used: { [hashKey(key)]: 3000 } })
    await store.touch(hashKey(key), 4000)
    await store.close()
    expect(await used(folder)).toMatchObject({ used: { [hashKey(key)]: 4000 } })
  })

  test('behavior: several servers of one folder add up, and keys that are gone are dropped', async () => {
    const { store, folder, file } = await setup()
    const first = await store.create(order)
    const second = await store.create(order)
    const other = createFileKeyStore(folder)
    await other.list()
    await store.touch(hashKey(first.key), 10)
    await other.touch(hashKey(second.key), 20)
    await other.touch(hashKey(first.key), 5)
    await Promise.all([store.close(), other.close()])
    expect((await used(folder)).used).toEqual({ [hashKey(first.key)]: 10, [hashKey(second.key)]: 20 })
    await rm(file)
    const third = await store.create(order)
    await store.touch(hashKey(third.key), 30)
    await store.close()
    expect((await used(folder)).used).toEqual({ [hashKey(third.key)]: 30 })
  })

  test('error: a damaged file is reported and does no harm', async () => {
    const { store, folder, reports } = await setup()
    const { key } = await store.create(order)
    await store.touch(hashKey(key), 1)
    await writeFile(join(folder, 'keys-used.json'), '{')
    expect(await store.list()).toMatchObject([{ lastUsedAt: 1 }])
    expect(reports.map(({ message }) => message)).toEqual([expect.stringContaining('keys-used.json')])
    await store.close()
    expect(await used(folder)).toMatchObject({ used: { [hashKey(key)]: 1 } })
  })

  test('error: what could not be written is reported, and written the next time', async () => {
    const { store, folder, reports } = await setup()
    const { key } = await store.create(order)
    await store.touch(hashKey(key), 1)
    const inItsPlace = join(folder, 'keys-used.json')
    await mkdir(inItsPlace)
    await store.close()
    const report = expect.stringContaining('keys-used.json')
    // It could not be read either.
    expect(reports.map(({ message }) => message)).toEqual([report, report])
    await rm(inItsPlace, { recursive: true })
    await store.close()
    expect(await used(folder)).toMatchObject({ used: { [hashKey(key)]: 1 } })
  })
})
