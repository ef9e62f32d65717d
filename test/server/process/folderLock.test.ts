import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isBeaconOut, lightBeacon } from '../../../server/process/beacon.ts'
import { type FolderLock, FolderLocked, lockFolder, watchHeldFolders } from '../../../server/process/index.ts'
import { identifyProcess, lifeOf, startByPs } from '../../../server/process/processIdentity.ts'
import { exitOf, spoke, startChild as start, temporaryFolder } from '../../setup/children.ts'

const startChild = (script: string, args: readonly string[]) =>
  start(`const { lockFolder } = await import(built + 'process/index.js')\n${script}`, args)

const HOLD = `
await lockFolder(process.argv[1])
console.log('held')
setInterval(() => {}, 1_000)`

const LISTEN = `
const { createServer } = await import('node:net')
createServer().listen(process.argv[1], () => console.log('listening'))`

async function take(folder: string): Promise<FolderLock> {
  const lock = await lockFolder(folder)
  onTestFinished(() => lock.release())
  return lock
}

/** A folder with a lock file of this process, changed in some fields. */
async function lockedBy(changes: Record<string, unknown>) {
  const folder = await temporaryFolder()
  await mkdir(folder)
  const token = '0123456789ab'
  await writeFile(join(folder, 'lock.1'), JSON.stringify({ ...(await identifyProcess()), token, ...changes }))
  return { folder, beacon: join(folder, `lock-${token}.sock`) }
}

async function holdInChild(folder: string) {
  const child = startChild(HOLD, [folder])
  await spoke(child)
  return child
}

/** The number of a process that was there and is gone. */
async function deadPid(): Promise<number> {
  const child = startChild('', [])
  await exitOf(child)
  return child.pid ?? 0
}

describe('one holder', () => {
  test('default: held until it is released, and nothing is left', async () => {
    const folder = await temporaryFolder()
    for (let times = 0; times < 3; times++) {
      const lock = await take(folder)
      expect(lock.folder).toBe(folder)
      await expect(lockFolder(folder)).rejects.toThrow(`is in use by this very process (${process.pid})`)
      await lock.release()
      await lock.release()
      expect(await readdir(folder)).toEqual([])
    }
  })

  test('error: says which folder, which process and what to do', async () => {
    const folder = await temporaryFolder()
    const child = await holdInChild(folder)
    const refused = lockFolder(folder)
    await expect(refused).rejects.toMatchObject({ code: 'locked', folder, pid: child.pid })
    await expect(refused).rejects.toThrow(
      `${folder} is in use by process ${child.pid} on ${hostname()}. Stop it, or choose another data folder; if it is ` +
        'stopping already, running calls may finish first: start again in a moment. If nothing uses this one for certain, ' +
        `remove the file ${join(folder, 'lock.1')}`,
    )
  })

  test('behavior: a process that stands still is not robbed', async () => {
    const folder = await temporaryFolder()
    const child = await holdInChild(folder)
    child.kill('SIGSTOP')
    await expect(lockFolder(folder)).rejects.toMatchObject({ pid: child.pid })
    child.kill('SIGCONT')
    await expect(lockFolder(folder)).rejects.toMatchObject({ pid: child.pid })
  })

  test('behavior: what a killed process held is taken over', async () => {
    const folder = await temporaryFolder()
    for (let times = 0; times < 3; times++) {
      const child = await holdInChild(folder)
      child.kill('SIGKILL')
      await exitOf(child)
    }
    const lock = await take(folder)
    expect((await readdir(folder)).filter((name) => name.startsWith('lock.'))).toEqual(['lock.4'])
    await lock.release()
    expect(await readdir(folder)).toEqual([])
  })

  test('behavior: of processes that start at the same instant exactly one wins, many times', async () => {
    const processes = 4
    const rounds = 60
    const outer = await temporaryFolder()
    const dead = JSON.stringify({ ...(await identifyProcess()), token: '0123456789ab', pid: await deadPid() })
    for (let round = 0; round < rounds; round++) {
      const folder = join(outer, String(round))
      await mkdir(folder, { recursive: true })
      // Every other time there is a dead one to be taken over, sometimes two.
      if (round % 2 === 1) await writeFile(join(folder, 'lock.7'), dead)
      if (round % 6 === 1) await writeFile(join(folder, 'lock.8'), dead)
    }
    const script = `
const [outer, rounds] = process.argv.slice(1)
const { setTimeout: sleep } = await import('node:timers/promises')
const { readFile } = await import('node:fs/promises')
const results = []
console.log('ready')
let start = ''
while (start === '') {
  await sleep(5)
  start = await readFile(outer + '/start', 'utf8').catch(() => '')
}
for (let round = 0; round < Number(rounds); round++) {
  const wait = Number(start) + round * 25 - Date.now()
  if (wait > 1) await sleep(wait - 1)
  while (Date.now() < Number(start) + round * 25);
  results.push(lockFolder(outer + '/' + round).then(() => 'won', (error) => error.code))
}
console.log((await Promise.all(results)).join())
setInterval(() => {}, 1_000)`
    const children = Array.from({ length: processes }, () => startChild(script, [outer, String(rounds)]))
    await Promise.all(children.map(spoke))
    const answered = children.map(spoke)
    await writeFile(join(outer, 'start'), String(Date.now() + 100))
    const answers = (await Promise.all(answered)).map((words) => words.trim().split(','))
    for (let round = 0; round < rounds; round++) {
      const each = answers.map((answer) => answer[round]).sort()
      expect(each).toEqual([...Array(processes - 1).fill('locked'), 'won'])
    }
  })

  test('behavior: within one process too', async () => {
    const folder = await temporaryFolder()
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => take(folder)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('who is gone', () => {
  test('behavior: a number that was given to another process does not count as the old one', async () => {
    const { folder } = await lockedBy({ startedAt: '1' })
    await take(folder)
  })

  test('behavior: no holder survives a restart of the machine', async () => {
    const { folder } = await lockedBy({ bootId: 'another' })
    await take(folder)
  })

  test('behavior: a process that ended counts as gone before its exit code was read', async () => {
    const script = `
const { spawn } = await import('node:child_process')
spawn('sh', ['-c', 'sleep 0.01 & echo $$ $!; exec sleep 60'], { stdio: ['ignore', 'inherit', 'ignore'] })`
    const child = startChild(script, [])
    const [parent = 0, pid = 0] = (await spoke(child)).split(' ').map(Number)
    onTestFinished(() => void process.kill(parent, 'SIGKILL'))
    const stat = () => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ' Z ')
    await expect.poll(stat).toContain(' Z ')
    expect(await lifeOf({ ...(await identifyProcess()), pid, startedAt: null })).toBe('gone')
  })

  test('error: not one whose name reads as that of one that ended', async () => {
    const folder = await temporaryFolder()
    await spoke(startChild(`process.title = 'a) Z b'${HOLD}`, [folder]))
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderLocked)
  })

  test.each([
    ['alive as this one is', {}],
    ['on another machine', { host: 'elsewhere.example', bootId: 'another' }],
    ['on another machine that has no boot id', { host: 'elsewhere.example', bootId: null, pid: 2 ** 22 + 1 }],
    ['in another container, without a sign of life', { pidSpace: 'pid:[1]', pid: 2 ** 22 + 1 }],
  ])('error: not one that is %s', async (_, changes) => {
    const { folder } = await lockedBy(changes)
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderLocked)
    expect(await readdir(folder)).toEqual(['lock.1'])
  })

  test('error: the first process of another container is not called this one', async () => {
    const { folder } = await lockedBy({ pidSpace: 'pid:[1]' })
    await expect(lockFolder(folder)).rejects.toThrow(`is in use by process ${process.pid} on ${hostname()}`)
  })

  test('behavior: in another container: alive as long as its socket answers', async () => {
    const { folder, beacon } = await lockedBy({ pidSpace: 'pid:[1]', host: 'container', pid: 2 ** 22 + 1 })
    const child = startChild(LISTEN, [beacon])
    await spoke(child)
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderLocked)
    child.kill('SIGSTOP')
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderLocked)
    child.kill('SIGKILL')
    await exitOf(child)
    const lock = await take(folder)
    await lock.release()
    expect(await readdir(folder)).toEqual([])
  })

  test('error: not one on another machine, where its socket is a file that answers no one', async () => {
    const { folder, beacon } = await lockedBy({ host: 'elsewhere.example', bootId: 'another' })
    const child = startChild(LISTEN, [beacon])
    await spoke(child)
    child.kill('SIGKILL')
    await exitOf(child)
    expect(await isBeaconOut(beacon)).toBe(true)
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderLocked)
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"pid":1}',
    '{"pid":-1,"host":"a","bootId":null,"pidSpace":null,"startedAt":null,"token":"0123456789ab"}',
  ])('error: a lock that names no process is left alone: %j', async (text) => {
    const { folder } = await lockedBy({})
    await writeFile(join(folder, 'lock.1'), text)
    await expect(lockFolder(folder)).rejects.toMatchObject({
      pid: null,
      message: expect.stringContaining('remove the file'),
    })
  })

  test('behavior: when a process began can be read in two ways', async () => {
    const { startedAt, pid } = await identifyProcess()
    expect(startedAt).toMatch(/^\d+$/)
    const said = await startByPs(pid)
    expect(said).toBe(await startByPs(pid))
    expect(await startByPs(2 ** 22 + 1)).toBeNull()
  })

  test('behavior: where no socket can be had there is no sign of life', async () => {
    const folder = await temporaryFolder()
    expect(await lightBeacon(join(folder, 'missing', 'a.sock'))).toBeNull()
    expect(await lightBeacon(join(folder, 'x'.repeat(100)))).toBeNull()
    expect(await isBeaconOut(join(folder, 'missing.sock'))).toBe(false)
  })
})

test.runIf(process.platform === 'linux')(
  'a disk that hangs is looked at once, and other files are read meanwhile',
  async () => {
    const folder = await temporaryFolder()
    await take(folder)
    const file = join(folder, 'lock.1')
    await rm(file)
    // A read of it waits for a writer.
    execFileSync('mkfifo', [file])
    onTestFinished(() => {
      const writer = openSync(file, constants.O_RDWR | constants.O_NONBLOCK)
      rmSync(file)
      closeSync(writer)
    })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    onTestFinished(watchHeldFolders(() => undefined))
    for (let i = 0; i < 16; i++) {
      vi.advanceTimersByTime(500)
      await new Promise(setImmediate)
    }
    // With all threads taken it would not be looked at.
    expect(await readdir(folder)).toContain('lock.1')
  },
)

test('a folder is missed once when its lock file is gone, and not when that cannot be read or was given free', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const watched = () => {
    const lost: string[] = []
    onTestFinished(watchHeldFolders((folder) => lost.push(folder)))
    return lost
  }
  const look = (lost: string[]) => {
    vi.advanceTimersByTime(500)
    return lost
  }
  const free = await take(await temporaryFolder())
  await free.release()
  const unread = join((await take(await temporaryFolder())).folder, 'lock.1')
  await rm(unread)
  await mkdir(unread)
  onTestFinished(() => rm(unread, { recursive: true }))
  const folder = await temporaryFolder()
  await take(folder)
  await rm(join(folder, 'lock.1'))
  const first = watched()
  await expect.poll(() => look(first)).toEqual([folder])
  for (let i = 0; i < 3; i++) {
    const again = watched()
    await expect.poll(() => look(again)).toEqual([folder])
  }
  expect(first).toEqual([folder])
})

test('a folder is looked at again and again: also one that goes later is missed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { folder } = await take(await temporaryFolder())
  const lost: string[] = []
  const read = vi.spyOn(JSON, 'parse')
  onTestFinished(() => read.mockRestore())
  onTestFinished(watchHeldFolders((gone) => lost.push(gone)))
  const look = () => {
    vi.advanceTimersByTime(500)
    return read.mock.calls.length
  }
  // Its lock file is read at each look.
  await expect.poll(look).toBeGreaterThan(2)
  expect(lost).toEqual([])
  await rm(join(folder, 'lock.1'))
  await expect
    .poll(() => {
      look()
      return lost
    })
    .toEqual([folder])
})

test('a lock that another process has taken over by hand is lost, and stays when the folder is given free', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const lock = await take(await temporaryFolder())
  const file = join(lock.folder, 'lock.1')
  await writeFile(file, JSON.stringify({ ...(await identifyProcess()), token: '0123456789ab' }))
  const lost: string[] = []
  onTestFinished(watchHeldFolders((folder) => lost.push(folder)))
  await expect
    .poll(() => {
      vi.advanceTimersByTime(500)
      return lost
    })
    .toEqual([lock.folder])
  await lock.release()
  expect(await readdir(lock.folder)).toContain('lock.1')
})
