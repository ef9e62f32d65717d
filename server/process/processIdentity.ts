// Identifies a process so that a later one knows for certain whether it is gone. A pid alone is reused, after a restart
// of the machine at once; a pid with its start time is not.

import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import { hasCode } from './systemErrors.ts'

export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** Changes with every start of the machine; null where the system has none. */
  readonly bootId: string | null
  /** Within which set of process numbers `pid` means something: containers have their own. */
  readonly pidSpace: string | null
  /** When the process began, in the words of its system: only to be compared. */
  readonly startedAt: string | null
}

/** `hidden`: on this machine, but in another container; `unknown`: perhaps on another machine. Both may be alive. */
export type Life = 'alive' | 'gone' | 'hidden' | 'unknown'

/** What is to be written down about this process. */
export async function identifyProcess(): Promise<ProcessIdentity> {
  return { pid: process.pid, host: hostname(), ...(await thisSystem()), startedAt: await startOf(process.pid) }
}

/** Changes with every start of the machine; null where the system has none. */
export const readBootId = (): Promise<string | null> =>
  readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => null,
  )

async function thisSystem(): Promise<Pick<ProcessIdentity, 'bootId' | 'pidSpace'>> {
  const [bootId, pidSpace] = await Promise.all([readBootId(), readlink('/proc/self/ns/pid').catch(() => null)])
  return { bootId, pidSpace }
}

/** Whether two identities are of one process; a number alone is not enough, every container has a first process. */
export const isSameProcess = (one: ProcessIdentity, other: ProcessIdentity): boolean =>
  one.pid === other.pid &&
  one.host === other.host &&
  one.pidSpace === other.pidSpace &&
  one.startedAt === other.startedAt

/** Whether a process that was written down still runs. `gone` is said only when it is certain. */
export async function lifeOf(holder: ProcessIdentity): Promise<Life> {
  const here = await thisSystem()
  const isSameHost = holder.host === hostname()
  if (differ(holder.bootId, here.bootId)) return isSameHost ? 'gone' : 'unknown'
  // Names of machines are chosen by people; what changes with every start is the same only on the same machine.
  if (holder.bootId === null && !isSameHost) return 'unknown'
  if (differ(holder.pidSpace, here.pidSpace)) return 'hidden'
  if (!hasProcess(holder.pid)) return 'gone'
  const startedAt = await startOf(holder.pid)
  return startedAt === ENDED || differ(holder.startedAt, startedAt) ? 'gone' : 'alive'
}

const differ = (one: string | null, other: string | null): boolean => one !== null && other !== null && one !== other

/** Whether a process with this id runs here, of any user. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return !hasCode(error, 'ESRCH')
  }
}

/** A zombie: ended, but still listed because its parent has not collected it. */
const ENDED = 'ended'

/** When a process began, null where that cannot be read. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return process.platform === 'linux' || process.platform === 'win32' ? null : startByPs(pid)
  // The second field is a name in brackets and may hold anything, so fields are counted from behind it.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? ENDED : (fields[18] ?? null)
}

/** In a fixed language and time zone, so that two processes read the same words. */
export async function startByPs(pid: number): Promise<string | null> {
  const env = { PATH: process.env.PATH ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' }
  const run = promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], { env, timeout: 2_000 })
  return run.then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  )
}

/** The identity in a parsed text, or null for any other text. */
export function readIdentity(value: unknown): ProcessIdentity | null {
  if (typeof value !== 'object' || value === null) return null
  const { pid, host, bootId, pidSpace, startedAt }: Partial<Record<keyof ProcessIdentity, unknown>> = value
  const isText = (one: unknown): one is string | null => one === null || typeof one === 'string'
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string') return null
  return isText(bootId) && isText(pidSpace) && isText(startedAt) ? { pid, host, bootId, pidSpace, startedAt } : null
}
