// Locks between processes that are killed, stand still, share no process numbers, or have a disk that fails.

import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { takeLock } from '../../../server/process/index.ts'
import { identifyProcess } from '../../../server/process/processIdentity.ts'
import { exitOf, spoke, startChild, temporaryFolder } from '../../setup/children.ts'

const TAKE = `const { takeLock } = await import(built + 'process/index.js')
const take = () => takeLock({ folder: process.argv[1], name: 'a' }, Number(process.argv[2] ?? 0))
const stay = (said) => { console.log(said); return new Promise(() => setInterval(() => {}, 1000)) }
`
/** Changes what the system does in the child. */
const SYSTEM = `const { syncBuiltinESMExports } = await import('node:module')
const { default: files } = await import('node:fs/promises')
const { default: net } = await import('node:net')
const { link, readdir } = files
`

const child = (script: string, folder: string, system = '', launcher: readonly string[] = []) =>
  startChild(`${SYSTEM}${system}\nsyncBuiltinESMExports()\n${TAKE}${script}`, [folder], launcher)

async function madeFolder(): Promise<string> {
  const folder = await temporaryFolder()
  await mkdir(folder)
  return folder
}

const takeHere = (folder: string, patience = 0) => takeLock({ folder, name: 'a' }, patience)

const AFTER_OPEN = `const { open } = files
files.open = (...all) => open(...all).then(() => stay('inside'))`

test.each([
  ['before its draft has its name', AFTER_OPEN, 'draft'],
  ['before its beacon burns', `net.Server.prototype.listen = () => stay('inside')`, 'draft'],
  ['before it has its file', `files.link = () => stay('inside')`, 'draft,sock'],
  ['before it looks again', 'files.link = (...both) => link(...both).then(() => stay("inside"))', '1,draft,sock'],
  ['while it holds the lock', '', '1,sock'],
])('behavior: a process killed %s leaves nothing', async (_, system, left) => {
  const folder = await madeFolder()
  // Functions of the script are there when the system calls them.
  const killed = child(`await take()\nawait stay('inside')`, folder, system)
  await spoke(killed)
  killed.kill('SIGKILL')
  await exitOf(killed)
  const ends = (await readdir(folder)).map((name) => name.slice(name.lastIndexOf('.') + 1)).sort()
  expect(ends.join()).toBe(left)
  const lock = await takeHere(folder)
  await lock.release()
  expect(await readdir(folder)).toEqual([])
})

test('behavior: one whose draft was taken for that of a dead process, while it was empty, gets the lock all the same', async () => {
  const folder = await madeFolder()
  const held = await takeHere(folder)
  const waiting = takeHere(folder, 600_000)
  let draft: string | undefined
  while (draft === undefined) draft = (await readdir(folder)).find((name) => name.endsWith('.draft'))
  await rm(join(folder, draft))
  await held.release()
  await (await waiting).release()
  expect(await readdir(folder)).toEqual([])
})

test('behavior: of those that take over a dead one at once each has it alone', async () => {
  const folder = await madeFolder()
  const killed = child(`await take()\nawait stay('held')`, folder)
  await spoke(killed)
  killed.kill('SIGKILL')
  await exitOf(killed)
  const script = `
const { writeFileSync, rmSync } = await import('node:fs')
for (let times = 0; times < 5; times++) {
  const lock = await takeLock({ folder: process.argv[1], name: 'a' }, 300_000)
  writeFileSync(process.argv[1] + '/inside', '', { flag: 'wx' })
  await new Promise((done) => setTimeout(done, 5))
  rmSync(process.argv[1] + '/inside')
  await lock.release()
}`
  const takers = Array.from({ length: 4 }, () => child(script, folder))
  expect(await Promise.all(takers.map(exitOf))).toEqual([0, 0, 0, 0])
  expect(await readdir(folder)).toEqual([])
})

test('behavior: one who waits while the whole machine stands still goes on waiting afterwards', async () => {
  const folder = await madeFolder()
  const held = await takeHere(folder)
  let looks = 0
  const start = performance.now()
  // A day passes after its first look, none of which the holder has had.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => start + (looks++ > 1 ? 86_400_000 : 0))
  onTestFinished(() => clock.mockRestore())
  const waiting = takeHere(folder, 300)
  const isLate = expect.poll(() => looks).toBeGreaterThan(5)
  await Promise.race([isLate, waiting])
  await held.release()
  await (await waiting).release()
})

const UNSHARE = ['unshare', '-pf', '--kill-child=KILL']
const hasContainers = spawnSync('unshare', ['-pf', 'true']).status === 0

test.runIf(hasContainers)('behavior: the lock of another container is left alone until that is killed', async () => {
  const folder = await madeFolder()
  const container = child(`await take()\nawait stay('held')`, folder, '', UNSHARE)
  await spoke(container)
  await expect(takeHere(folder, 50)).rejects.toMatchObject({ name: 'LockHeld', holder: { pid: 1 } })
  container.kill('SIGKILL')
  await exitOf(container)
  // Its process ends a moment after the one that started it.
  const lock = await takeHere(folder, 300_000)
  await lock.release()
  expect(await readdir(folder)).toEqual([])
})

test.runIf(hasContainers)('behavior: containers, whose process has the same number each time, take turns', async () => {
  const folder = await madeFolder()
  const script = `const lock = await takeLock({ folder: process.argv[1], name: 'a' }, 300_000)
console.log('held')\nif (process.argv[2] === 'stays') await stay('')\nawait lock.release()`
  const first = startChild(TAKE + script, [folder, 'stays'], UNSHARE)
  await spoke(first)
  const second = startChild(TAKE + script, [folder, 'ends'], UNSHARE)
  first.kill('SIGKILL')
  expect(await exitOf(second)).toBe(0)
  expect(await readdir(folder)).toEqual([])
})

test('behavior: a disk far away that does it, and says it was done before', async () => {
  const folder = await madeFolder()
  const system = `files.link = async (...both) => {
  await link(...both)
  throw Object.assign(new Error('there is one'), { code: 'EEXIST' })
}`
  const holder = child(`await take()\nawait stay('held')`, folder, system)
  await spoke(holder)
  await expect(takeHere(folder)).rejects.toMatchObject({ holder: { pid: holder.pid } })
})

test('behavior: a disk without links', async () => {
  const folder = await madeFolder()
  const system = `files.link = async () => { throw Object.assign(new Error('no links'), { code: 'EPERM' }) }`
  const holder = child(`await take()\nawait stay('held')`, folder, system)
  await spoke(holder)
  await expect(takeHere(folder)).rejects.toMatchObject({ holder: { pid: holder.pid } })
  holder.kill('SIGKILL')
  await exitOf(holder)
  await takeHere(folder).then((lock) => lock.release())
  expect(await readdir(folder)).toEqual([])
})

test('error: a disk that fails on the way is told, and leaves no lock of a living process', async () => {
  const folder = await madeFolder()
  const system = `let looks = 0
files.readdir = (...given) => {
  if (++looks === 2) throw Object.assign(new Error('the disk'), { code: 'EIO' })
  return readdir(...given)
}`
  const failing = child(`await take().catch(({ code }) => stay(code))`, folder, system)
  expect((await spoke(failing)).trim()).toBe('EIO')
  await takeHere(folder).then((lock) => lock.release())
  expect(await readdir(folder)).toEqual([])
})

/** A process that may not write or read what is not its own. */
const PLAIN = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

test('error: a folder that cannot be written is told as that', async () => {
  const folder = await madeFolder()
  await chmod(join(folder, '..'), 0o755)
  await chmod(folder, 0o555)
  const refused = child(`await take().catch(({ code }) => console.log(code))`, folder, '', PLAIN)
  expect((await spoke(refused)).trim()).toBe('EACCES')
  expect(await readdir(folder)).toEqual([])
  await chmod(folder, 0o755)
})

test.runIf(PLAIN.length > 0)(
  'error: a lock of root in the folder of a service is held, and named to the service',
  async () => {
    const folder = await madeFolder()
    await chmod(join(folder, '..'), 0o755)
    await chown(folder, 65534, 65534)
    const lock = await takeHere(folder)
    const refused = child(`await take().catch(({ holder }) => console.log(holder.pid))`, folder, '', PLAIN)
    expect((await spoke(refused)).trim()).toBe(String(process.pid))
    await lock.release()
  },
)

test('error: a lock of a machine that may live is left alone, and so is one without a name', async () => {
  const folder = await madeFolder()
  const elsewhere = {
    ...(await identifyProcess()),
    host: 'elsewhere.example',
    bootId: 'another',
    token: '0123456789ab',
  }
  await writeFile(join(folder, 'a.1'), JSON.stringify(elsewhere))
  await expect(takeHere(folder, 50)).rejects.toMatchObject({ holder: { host: 'elsewhere.example' } })
  await writeFile(join(folder, 'a.1'), '')
  await expect(takeHere(folder, 50)).rejects.toMatchObject({ holder: null, file: join(folder, 'a.1') })
})
