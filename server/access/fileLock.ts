// One writer at a time, over processes. The lock is a file that only one can create, with the name of its holder in it.
// Only a dead process loses it: a slow holder keeps it, whatever the clock says.

import { randomBytes } from 'node:crypto'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode, hasProcess, makeFolder } from '../process/index.ts'
import { KeyStoreError } from './keyStoreError.ts'

const PATIENCE = 5_000
const PAUSE = 15
/** A lock file that names no holder was not written by this program. */
const NAMELESS_FOR = 10_000

interface Holder {
  readonly pid: number
  readonly host: string
}

// Within this process writers queue here. So a lock file with our own pid in it is never ours but that of an earlier
// process of the same number, which is the usual case in containers.
const queues = new Map<string, Promise<unknown>>()

/**
 * Runs `work` while holding the lock file at `path`. Throws KeyStoreError `busy`, naming the holder, when a running
 * process keeps it longer than `patience` milliseconds.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, patience = PATIENCE): Promise<T> {
  const before = queues.get(path) ?? Promise.resolve()
  const turn = before.then(() => lockAndRun(path, work, patience))
  const over = turn.then(
    () => undefined,
    () => undefined,
  )
  queues.set(path, over)
  try {
    return await turn
  } finally {
    if (queues.get(path) === over) queues.delete(path)
  }
}

async function lockAndRun<T>(path: string, work: () => Promise<T>, patience: number): Promise<T> {
  await take(path, performance.now() + patience)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(path: string, deadline: number): Promise<void> {
  await makeFolder(dirname(path))
  for (;;) {
    if (await create(path)) return await clearGuard(path)
    if (await isAbandoned(path)) await reap(path)
    else await sleep(PAUSE + Math.random() * PAUSE)
    if (performance.now() > deadline) throw await busy(path)
  }
}

/** Whether the lock is ours now. It appears with the name in it, so that a kill leaves no lock without a holder. */
async function create(path: string): Promise<boolean> {
  // Named like every other draft: what a killed process leaves is removed by the next that writes.
  const own = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
  const holder: Holder = { pid: process.pid, host: hostname() }
  try {
    await writeFile(own, JSON.stringify(holder), { flag: 'wx', mode: 0o600 })
    return await linked(own, path)
  } finally {
    await rm(own, { force: true })
  }
}

/** Not when the lock is there already, nor when its holder has just removed our draft with the others. */
async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST', 'ENOENT')) return false
    throw error
  }
}

/**
 * Takes a dead holder's lock away. Two that both saw it dead must not remove one after the other, or the second would
 * remove the new lock of the first: so removing has a lock of its own, and the holder is judged again under it.
 */
async function reap(path: string): Promise<void> {
  const guard = guardOf(path)
  if (!(await create(guard))) {
    if (await isAbandoned(guard)) await rm(guard, { force: true })
    await sleep(PAUSE)
    return
  }
  try {
    if (await isAbandoned(path)) await rm(path, { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}

const guardOf = (path: string): string => `${path}.reap`

/** Removes what a process leaves that was killed while it took a dead holder's lock away. While we hold the lock none is. */
async function clearGuard(path: string): Promise<void> {
  if (await isAbandoned(guardOf(path))) await rm(guardOf(path), { force: true })
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const holder = readHolder(await readFile(path, 'utf8'))
    if (holder === null) return Math.abs(Date.now() - (await stat(path)).mtimeMs) > NAMELESS_FOR
    // A number means nothing on another machine, and over a shared folder the holder may well be on one.
    if (holder.host !== hostname()) return false
    return holder.pid === process.pid || !hasProcess(holder.pid)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

function readHolder(text: string): Holder | null {
  try {
    const holder: unknown = JSON.parse(text)
    if (typeof holder !== 'object' || holder === null || !('pid' in holder) || !('host' in holder)) return null
    const { pid, host } = holder
    return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 && typeof host === 'string'
      ? { pid, host }
      : null
  } catch {
    return null
  }
}

async function busy(path: string): Promise<KeyStoreError> {
  const guard = guardOf(path)
  // The lock of a dead process is kept from us by another that is about to remove it, or has its number.
  const file = (await isAbandoned(path)) && (await exists(guard)) ? guard : path
  const holder = readHolder(await readFile(file, 'utf8').catch(() => ''))
  const who = holder === null ? 'Another process' : `Process ${holder.pid} on ${holder.host}`
  return new KeyStoreError(
    'busy',
    `${who} is changing the keys. Try again; if it is gone for certain, remove the file ${file}`,
  )
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
