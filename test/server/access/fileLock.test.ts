import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { withFileLock } from '../../../server/access/fileLock.ts'
import { exitOf, spoke, startChild } from '../../setup/children.ts'
import { temporaryFolder } from './temporaryFolder.ts'

const HOLD = `
const { withFileLock } = await import(built + 'access/fileLock.js')
await withFileLock(process.argv[1], () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)) })`

async function lockPath(): Promise<string> {
  const folder = await temporaryFolder()
  await mkdir(folder)
  return join(folder, 'a.lock')
}

test('default: one after the other, and nothing is left', async () => {
  const path = await lockPath()
  let inside = 0
  const one = () =>
    withFileLock(path, async () => {
      expect(++inside).toBe(1)
      expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ pid: process.pid, host: hostname() })
      inside--
    })
  await Promise.all([one(), one(), one(), one()])
  expect(await readdir(dirname(path))).toEqual([])
})

test('behavior: a failure inside gives the lock back and comes out', async () => {
  const path = await lockPath()
  await expect(withFileLock(path, () => Promise.reject(new Error('inside')))).rejects.toThrow('inside')
  expect(await withFileLock(path, async () => 'again')).toBe('again')
})

test('error: a living holder is not robbed, however old its lock is', async () => {
  const path = await lockPath()
  const holder = startChild(HOLD, [path])
  await spoke(holder)
  await utimes(path, 0, 0)
  await expect(withFileLock(path, async () => 0, 100)).rejects.toMatchObject({
    reason: 'busy',
    message: expect.stringContaining(`Process ${holder.pid} on`),
  })
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: holder.pid })
})

test('behavior: the lock of a killed holder is taken over, by one at a time', async () => {
  const path = await lockPath()
  const holder = startChild(HOLD, [path])
  await spoke(holder)
  holder.kill('SIGKILL')
  await exitOf(holder)
  const busy = join(dirname(path), 'inside')
  const script = `
const { writeFileSync, rmSync } = await import('node:fs')
const { withFileLock } = await import(built + 'access/fileLock.js')
await withFileLock(process.argv[1], async () => {
  writeFileSync(process.argv[2], '', { flag: 'wx' })
  await new Promise((done) => setTimeout(done, 30))
  rmSync(process.argv[2])
})`
  const takers = Array.from({ length: 4 }, () => startChild(script, [path, busy]))
  expect(await Promise.all(takers.map(exitOf))).toEqual([0, 0, 0, 0])
  expect(await readdir(dirname(path))).toEqual([])
})

test('behavior: a lock of an earlier process with our own number is taken over', async () => {
  const path = await lockPath()
  await writeFile(path, JSON.stringify({ pid: process.pid, host: hostname() }))
  expect(await withFileLock(path, async () => 'mine', 60_000)).toBe('mine')
})

test('error: a lock from another machine is left alone', async () => {
  const path = await lockPath()
  await writeFile(path, JSON.stringify({ pid: 1, host: 'elsewhere.example' }))
  await expect(withFileLock(path, async () => 0, 100)).rejects.toThrow(
    /Process 1 on elsewhere.example.*remove the file/,
  )
})

test.each(['', '{', '[]', 'null', '{"pid":-1,"host":""}', '{"pid":"1","host":"x"}'])(
  'behavior: a lock that names no process (%j) is waited for, then taken over once it is old',
  async (text) => {
    const path = await lockPath()
    await writeFile(path, text)
    await expect(withFileLock(path, async () => 0, 50)).rejects.toMatchObject({ reason: 'busy' })
    await utimes(path, new Date(), new Date(Date.now() - 60_000))
    expect(await withFileLock(path, async () => 'mine', 60_000)).toBe('mine')
  },
)

test('behavior: a reaper that died on its way does not block for ever', async () => {
  const path = await lockPath()
  const dead = startChild('', [])
  await exitOf(dead)
  for (const name of [path, `${path}.reap`]) await writeFile(name, JSON.stringify({ pid: dead.pid, host: hostname() }))
  expect(await withFileLock(path, async () => 'mine')).toBe('mine')
})

/** Takes a dead holder's lock away and stops for good at a step of it. */
const STOP_INSIDE = `
const { syncBuiltinESMExports } = await import('node:module')
const { default: files } = await import('node:fs/promises')
const [path, step] = process.argv.slice(1)
const { rm } = files
files.rm = async (file, options) => {
  if (step === 'after' || file !== path) await rm(file, options)
  if (file !== path) return
  console.log('inside')
  await new Promise(() => setInterval(() => {}, 1000))
}
syncBuiltinESMExports()
const { withFileLock } = await import(built + 'access/fileLock.js')
await withFileLock(path, async () => {})`

test.each(['before', 'after'])('behavior: a process killed %s it removed a dead lock leaves nothing', async (step) => {
  const path = await lockPath()
  const dead = startChild('', [])
  await exitOf(dead)
  await writeFile(path, JSON.stringify({ pid: dead.pid, host: hostname() }))
  const reaper = startChild(STOP_INSIDE, [path, step])
  await spoke(reaper)
  expect(await readdir(dirname(path))).toContain('a.lock.reap')
  reaper.kill('SIGKILL')
  await exitOf(reaper)
  expect(await withFileLock(path, async () => readdir(dirname(path)))).toEqual(['a.lock'])
  expect(await readdir(dirname(path))).toEqual([])
})

test('error: a guard whose number another process has now does not hold a writer for ever', async () => {
  const path = await lockPath()
  const [dead, living] = [startChild('', []), startChild(HOLD, [`${path}.other`])]
  await Promise.all([exitOf(dead), spoke(living)])
  await writeFile(path, JSON.stringify({ pid: dead.pid, host: hostname() }))
  await writeFile(`${path}.reap`, JSON.stringify({ pid: living.pid, host: hostname() }))
  await expect(withFileLock(path, async () => 0, 100)).rejects.toThrow(
    new RegExp(`Process ${living.pid} on .* remove the file .*a\\.lock\\.reap$`),
  )
})
