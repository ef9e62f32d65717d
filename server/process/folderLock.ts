// One process per folder. A lock file that only one process can create names the holder. It is taken over only when the
// holder is certainly gone: a slow holder keeps its lock, whatever the clock says.
//
// The file of a dead holder is not removed first: two processes could do so in turn and both think they won. The
// process that takes over creates the file with the next number, which only one can, and checks again before it
// proceeds.

import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isBeaconOut, lightBeacon } from './beacon.ts'
import { makeFolder } from './durableFile.ts'
import { identifyProcess, isSameProcess, lifeOf, type ProcessIdentity, readIdentity } from './processIdentity.ts'
import { syncFile } from './syncFile.ts'
import { FolderLocked, hasCode } from './systemErrors.ts'

/** Long enough for a process that is just ending, and for two that met at the same instant to part. */
const PATIENCE = 300
const PAUSE = 20
const NAME = /^lock\.(\d{1,9})$/

export interface FolderLock {
  readonly folder: string
  /** Gives the folder free; again is no failure. */
  release(): Promise<void>
}

interface Holder extends ProcessIdentity {
  /** Names this holding of the lock among all others. */
  readonly token: string
}

interface HeldLock {
  readonly folder: string
  readonly number: number
  readonly token: string
}

/** Of this process. */
const held = new Set<HeldLock>()
/** A service that starts in the place of a removed folder takes longer than this. */
const WATCH_MS = 500

/** Takes a folder for this process, making it when it is missing. Throws FolderLocked when it is in use. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await makeFolder(folder)
  const token = randomBytes(6).toString('hex')
  const endBeacon = await lightBeacon(beaconPath(folder, token))
  const draft = join(folder, `lock-${token}.tmp`)
  try {
    await writeSafely(draft, JSON.stringify({ ...(await identifyProcess()), token } satisfies Holder))
    const number = await take(folder, draft)
    const own = { folder, number, token }
    held.add(own)
    return { folder, release: once(() => giveBack(own, endBeacon)) }
  } catch (error) {
    await endBeacon?.()
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

const lockPath = (folder: string, number: number): string => join(folder, `lock.${number}`)
const beaconPath = (folder: string, token: string): string => join(folder, `lock-${token}.sock`)

/** The number under which the folder is ours. */
async function take(folder: string, draft: string): Promise<number> {
  const deadline = performance.now() + PATIENCE
  for (;;) {
    const top = Math.max(0, ...(await listLocks(folder)))
    if (top === 0 || (await isAbandoned(folder, top))) {
      const number = top + 1
      if ((await claim(draft, lockPath(folder, number))) && (await isAlone(folder, number))) return number
    } else if (performance.now() > deadline) throw await inUse(folder, top)
    await sleep(PAUSE * Math.random())
  }
}

/** Makes the lock file out of the draft, whole at once, unless there is one. */
async function claim(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    // Some disks have no links; there the file is seen growing, and counts as held by an unknown process meanwhile.
    return copyFile(draft, path, constants.COPYFILE_EXCL).then(
      () => true,
      (again: unknown) => {
        if (hasCode(again, 'EEXIST')) return false
        throw again
      },
    )
  }
  return true
}

/**
 * Looks again with our file in place. Of two processes that hold one each, the one that created its file later sees the
 * other's here and gives way. If there is no other, files of dead holders are removed.
 */
async function isAlone(folder: string, number: number): Promise<boolean> {
  const others = (await listLocks(folder)).filter((other) => other !== number)
  for (const other of others) {
    if (other < number && (await isAbandoned(folder, other))) continue
    await rm(lockPath(folder, number), { force: true })
    return false
  }
  for (const other of others) {
    const holder = await readHolder(folder, other)
    if (typeof holder === 'object') await rm(beaconPath(folder, holder.token), { force: true })
    await rm(lockPath(folder, other), { force: true })
  }
  return true
}

async function listLocks(folder: string): Promise<number[]> {
  return (await readdir(folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number)
}

async function isAbandoned(folder: string, number: number): Promise<boolean> {
  const holder = await readHolder(folder, number)
  if (typeof holder === 'string') return holder === 'released'
  const life = await lifeOf(holder)
  return life === 'gone' || (life === 'hidden' && (await isBeaconOut(beaconPath(folder, holder.token))))
}

async function readHolder(folder: string, number: number): Promise<Holder | 'released' | 'nameless'> {
  try {
    const value: unknown = JSON.parse(await readFile(lockPath(folder, number), 'utf8'))
    const identity = readIdentity(value)
    const token = identity !== null && typeof value === 'object' && value !== null && 'token' in value && value.token
    return identity !== null && typeof token === 'string' && /^[0-9a-f]{12}$/.test(token)
      ? { ...identity, token }
      : 'nameless'
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 'released'
    if (error instanceof SyntaxError) return 'nameless'
    throw error
  }
}

async function inUse(folder: string, number: number): Promise<FolderLocked> {
  const holder = await readHolder(folder, number)
  const isKnown = typeof holder === 'object'
  const who = !isKnown ? 'another process' : `process ${holder.pid} on ${holder.host}`
  const isOurs = isKnown && isSameProcess(holder, await identifyProcess())
  return new FolderLocked(
    folder,
    isKnown ? holder.pid : null,
    `${folder} is in use by ${isOurs ? `this very process (${holder.pid})` : who}. Stop it, or choose another data ` +
      `folder. If nothing uses this one for certain, remove the file ${lockPath(folder, number)}`,
  )
}

/** Synced before it gets its name: after a power loss an empty lock file would name no holder. */
async function writeSafely(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await syncFile(file)
  } finally {
    await file.close()
  }
}

async function giveBack(own: HeldLock, endBeacon: (() => Promise<void>) | null): Promise<void> {
  held.delete(own)
  const holder = await readHolder(own.folder, own.number)
  // The file may have been removed by hand, and another process may hold the folder.
  if (typeof holder === 'object' && holder.token === own.token)
    await rm(lockPath(own.folder, own.number), { force: true })
  await endBeacon?.()
}

/** Calls back once, when the lock file of a folder that this process holds was removed or replaced. Returns what ends it. */
export function watchHeldFolders(onLost: (folder: string) => void): () => void {
  let isLooking = false
  const timer = setInterval(() => {
    // On a disk that hangs, looks would fill the threads for all other files.
    if (isLooking) return
    isLooking = true
    void firstLost().then((folder) => {
      isLooking = false
      if (folder === null) return
      clearInterval(timer)
      onLost(folder)
    })
  }, WATCH_MS)
  timer.unref()
  return () => clearInterval(timer)
}

async function firstLost(): Promise<string | null> {
  for (const own of held) {
    // A disk that does not answer is no removed file.
    const holder = await readHolder(own.folder, own.number).catch(() => 'unreadable' as const)
    const isLost = holder === 'released' || (typeof holder === 'object' && holder.token !== own.token)
    if (isLost && held.has(own)) return own.folder
  }
  return null
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => {
    done ??= work()
    return done
  }
}
