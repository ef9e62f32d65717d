// A lock over processes: a file that only one can create, with the name of its holder in it. It is taken over only when the
// holder is certainly gone: a slow holder keeps it, whatever the clock says.
//
// The file of a dead holder is not removed first: two processes could do so in turn and both think they won. The
// process that takes over creates the file with the next number, which only one can, and checks again before it
// proceeds.

import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isBeaconOut, lightBeacon, removeFile } from './beacon.ts'
import { giveTo, makeFolder } from './durableFile.ts'
import { identifyProcess, isSameProcess, lifeOf, type ProcessIdentity, readIdentity } from './processIdentity.ts'
import { syncFile } from './syncFile.ts'
import { hasCode } from './systemErrors.ts'

const PAUSE = 20
/** A single look never uses up the patience: where the machine stood still, the holder could do nothing either. */
const FEWEST_LOOKS = 5

export interface LockPlace {
  readonly folder: string
  /** All its files begin with this name: `NAME.1` is the lock file of the first holder. */
  readonly name: string
}

export interface Lock {
  /** Calling it again does nothing. */
  release(): Promise<void>
  /** Whether its file was removed or replaced. Rejects where the disk does not answer. */
  isLost(): Promise<boolean>
}

/** Another process holds the lock, or its end cannot be proven. */
export class LockHeld extends Error {
  readonly file: string
  /** Null when the file does not name it. */
  readonly holder: (Pick<ProcessIdentity, 'pid' | 'host'> & { readonly isThisProcess: boolean }) | null

  constructor(file: string, holder: LockHeld['holder']) {
    super(`${file} is held by ${holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}`}`)
    this.name = 'LockHeld'
    this.file = file
    this.holder = holder
  }
}

interface Holder extends ProcessIdentity {
  /** Another one each time a lock is taken. */
  readonly token: string
}

interface Held extends LockPlace {
  readonly number: number
  readonly token: string
}

/**
 * Takes a lock, making its folder when it is missing. Rejects with LockHeld when it is still in use after `patience`
 * milliseconds and several looks.
 */
export async function takeLock(place: LockPlace, patience: number): Promise<Lock> {
  await makeFolder(place.folder)
  const token = randomBytes(6).toString('hex')
  const draft = draftPath(place, token)
  let endBeacon: (() => Promise<void>) | null = null
  try {
    // Before the beacon: when a kill leaves both behind, the draft names the process that they belonged to.
    await writeDraft(place, token)
    endBeacon = await lightBeacon(beaconPath(place, token))
    const held = { ...place, number: await take(place, token, patience), token }
    return { release: once(() => giveBack(held, endBeacon)), isLost: () => isLost(held) }
  } catch (error) {
    await endBeacon?.()
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

const lockPath = ({ folder, name }: LockPlace, number: number): string => join(folder, `${name}.${number}`)
/** Not `.tmp`, as drafts of the locked file are named: its writers remove those. */
const draftPath = ({ folder, name }: LockPlace, token: string): string => join(folder, `${name}-${token}.draft`)
const beaconPath = ({ folder, name }: LockPlace, token: string): string => join(folder, `${name}-${token}.sock`)

interface Found {
  readonly numbers: readonly number[]
  readonly drafts: readonly string[]
  readonly beacons: readonly string[]
}

const LOCK = /^\.(\d{1,9})$/
const DRAFT = /^-([0-9a-f]{12})\.draft$/
const BEACON = /^-([0-9a-f]{12})\.sock$/

async function look({ folder, name }: LockPlace): Promise<Found> {
  const ends = (await readdir(folder)).flatMap((one) => (one.startsWith(name) ? one.slice(name.length) : []))
  const matching = (form: RegExp): string[] => ends.flatMap((end) => form.exec(end)?.[1] ?? [])
  return { numbers: matching(LOCK).map(Number), drafts: matching(DRAFT), beacons: matching(BEACON) }
}

/** The number under which it is ours. */
async function take(place: LockPlace, token: string, patience: number): Promise<number> {
  let waited = 0
  let before = performance.now()
  for (;;) {
    const top = Math.max(0, ...(await look(place)).numbers)
    const isHeld = top > 0 && !(await isAbandoned(place, await holderOf(place, top)))
    if (!isHeld) {
      if ((await claim(place, top + 1, token)) && (await isKept(place, top + 1))) return top + 1
    }
    const now = performance.now()
    waited += Math.min(now - before, patience / FEWEST_LOOKS)
    before = now
    if (isHeld && waited >= patience) throw await heldBy(place, top)
    await sleep(PAUSE * Math.random())
  }
}

async function claim(place: LockPlace, number: number, token: string): Promise<boolean> {
  try {
    return await made(place, number, token)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    // The holder removed our draft while it was still empty: it looked like one that a killed process left.
    await writeDraft(place, token)
    return false
  }
}

/** Makes the lock file out of the draft, whole at once, unless there is one. */
async function made(place: LockPlace, number: number, token: string): Promise<boolean> {
  const draft = draftPath(place, token)
  const path = lockPath(place, number)
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) return await copied(draft, path)
    // A network disk may make the link, lose the answer and retry: then the file that exists is our own.
    const holder = await readHolder(path)
    return typeof holder === 'object' && holder.token === token
  }
}

/** For disks without links. While the file is incomplete, others take it for a lock whose holder is unknown. */
async function copied(draft: string, path: string): Promise<boolean> {
  try {
    await copyFile(draft, path, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Whether the lock is ours. If not, our file is removed. */
async function isKept(place: LockPlace, number: number): Promise<boolean> {
  let isOurs = false
  try {
    isOurs = await isAlone(place, number)
  } finally {
    if (!isOurs) await rm(lockPath(place, number), { force: true })
  }
  return isOurs
}

/**
 * Looks again with our file in place. Of two processes that hold one each, the one that created its file later sees the
 * other's here and gives way. If there is no other, what dead ones left is removed.
 */
async function isAlone(place: LockPlace, number: number): Promise<boolean> {
  const { numbers, drafts, beacons } = await look(place)
  const dead: string[] = []
  for (const other of numbers) {
    if (other === number) continue
    const holder = await holderOf(place, other)
    if (other > number || !(await isAbandoned(place, holder))) return false
    dead.push(lockPath(place, other))
    if (typeof holder === 'object') dead.push(beaconPath(place, holder.token))
  }
  for (const token of drafts) {
    const path = draftPath(place, token)
    const author = await readHolder(path)
    if (author === 'nameless') dead.push(path)
    else if (typeof author === 'object' && (await isAbandoned(place, author))) dead.push(path, beaconPath(place, token))
  }
  // One with a draft belongs to a process that is still trying.
  for (const token of beacons)
    if (!drafts.includes(token) && (await isBeaconOut(beaconPath(place, token)))) dead.push(beaconPath(place, token))
  for (const path of dead) await removeFile(path)
  return true
}

type Named = Holder | 'released' | 'nameless'

async function isAbandoned(place: LockPlace, holder: Named): Promise<boolean> {
  if (typeof holder === 'string') return holder === 'released'
  const life = await lifeOf(holder)
  return life === 'gone' || (life === 'hidden' && (await isBeaconOut(beaconPath(place, holder.token))))
}

const holderOf = (place: LockPlace, number: number): Promise<Named> => readHolder(lockPath(place, number))

async function readHolder(path: string): Promise<Named> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
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

async function heldBy(place: LockPlace, number: number): Promise<LockHeld> {
  const holder = await holderOf(place, number)
  const file = lockPath(place, number)
  if (typeof holder === 'string') return new LockHeld(file, null)
  const { pid, host } = holder
  return new LockHeld(file, { pid, host, isThisProcess: isSameProcess(holder, await identifyProcess()) })
}

/** Synced before it gets its name: after a power loss an empty lock file would name no holder. */
async function writeDraft(place: LockPlace, token: string): Promise<void> {
  const holder: Holder = { ...(await identifyProcess()), token }
  const file = await open(draftPath(place, token), 'wx', 0o600)
  try {
    await giveTo(file, place.folder)
    await file.writeFile(JSON.stringify(holder))
    await syncFile(file)
  } finally {
    await file.close()
  }
}

async function isLost(held: Held): Promise<boolean> {
  const holder = await holderOf(held, held.number)
  return holder === 'released' || (typeof holder === 'object' && holder.token !== held.token)
}

async function giveBack(held: Held, endBeacon: (() => Promise<void>) | null): Promise<void> {
  const holder = await holderOf(held, held.number)
  // The file may have been removed by hand, and another process may hold the lock.
  if (typeof holder === 'object' && holder.token === held.token) await rm(lockPath(held, held.number), { force: true })
  await endBeacon?.()
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => {
    done ??= work()
    return done
  }
}
