// How many more files this process may open, and which part of them is for callers. Node raises the limit by itself as far as it may.

import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { contractThreads } from './processors.ts'
import { hasCode } from './systemErrors.ts'

export interface FilePlan {
  /** Files for connections of callers. */
  readonly callers: number
  /** Files of the embedded database that are opened at the same time, beside those it has, when it syncs them; 0 without one. */
  readonly syncs: number
  /** Attempts of webhooks at once, each of which is a connection. */
  readonly attempts: number
}

const MOST_SYNCS = 256
const LEAST_SYNCS = 8
const MOST_ATTEMPTS = 1024

/** Of a thread's event loop. */
const THREAD_FILES = 4
/** With few processors; they are in the files of the service. */
const FEW_THREADS = 2

/** A machine of many processors has many threads for contracts. */
export const filesOfThreads = (threads = contractThreads()): number => THREAD_FILES * Math.max(0, threads - FEW_THREADS)

export interface OwnFiles {
  readonly own: number
  readonly threads?: number
  /** Whether there is an embedded database, which syncs files. */
  readonly isEmbedded: boolean
}

/**
 * Of what the service does not need for its own files, up to a half is for threads, and of the rest an eighth each for syncs and for
 * attempts of webhooks. Null when nothing is left for callers.
 */
export function planFiles(room: number, { own, threads = 0, isEmbedded }: OwnFiles): FilePlan | null {
  const beside = room - own
  const left = beside - Math.min(threads, Math.floor(Math.max(0, beside) / 2))
  const syncs = isEmbedded ? Math.min(MOST_SYNCS, Math.max(LEAST_SYNCS, Math.floor(left / 8))) : 0
  const attempts = Math.min(MOST_ATTEMPTS, Math.max(0, Math.floor(left / 8)))
  const callers = left - syncs - attempts
  return callers > 0 ? { callers, syncs, attempts: Math.max(1, attempts) } : null
}

let current: FilePlan = { callers: Number.POSITIVE_INFINITY, syncs: MOST_SYNCS, attempts: MOST_ATTEMPTS }

/** The plan in force; by default that of a process without a limit. */
export const filePlan = (): FilePlan => current

/** Takes effect for what is opened later. Null when there is no room. */
export function applyFilePlan(room: number, files: OwnFiles): FilePlan | null {
  const plan = planFiles(room, { threads: filesOfThreads(), ...files })
  if (plan !== null) current = plan
  return plan
}

/** Of Node's report about this process. Windows has no such limit. */
export function limitInReport(report: object): number {
  if (!('userLimits' in report)) return Number.POSITIVE_INFINITY
  const { userLimits } = report
  if (!(userLimits instanceof Object && 'open_files' in userLimits)) return Number.POSITIVE_INFINITY
  const { open_files: limit } = userLimits
  const soft = limit instanceof Object && 'soft' in limit ? limit.soft : null
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}

/** Of `/proc/self/limits`; null when the text has none. */
export function limitInText(text: string): number | null {
  const [, soft] = /^Max open files +(\d+|unlimited) /m.exec(text) ?? []
  if (soft === undefined) return null
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}

/** The limit in force. Only Linux has such a file, which takes 2 ms; Node's report takes 9. */
function fileLimit(): number {
  let limit: number | null = null
  try {
    limit = limitInText(readFileSync('/proc/self/limits', 'latin1'))
  } catch {
    // The report says it, too.
  }
  return limit ?? limitInReport(process.report.getReport())
}

/** How many more files this process may have open at the same time. */
export function roomForFiles(): number {
  try {
    // The lowest number that is free: about as many are open.
    const next = openSync(devNull, 'r')
    closeSync(next)
    return fileLimit() - next
  } catch (error) {
    if (hasCode(error, 'EMFILE', 'ENFILE')) return 0
    throw error
  }
}
