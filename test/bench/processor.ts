// Processor time and memory of processes on this machine, from /proc.

import { readdirSync, readFileSync } from 'node:fs'

/** Of `/proc`: hundredths of a second. */
const TICK_MS = 10

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function takenBy(folder: string): number {
  const fields = textOf(`${folder}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS
}

/** Milliseconds of processor of each thread of a process that still runs; the first is the main one. */
export const threadsOf = (pid: number): Map<string, number> =>
  new Map(namesIn(`/proc/${pid}/task`).map((thread) => [thread, takenBy(`/proc/${pid}/task/${thread}`)]))

/** Milliseconds of processor of a process and those its threads have started; 0 for one that has ended. */
export const processorOf = (pid: number | string): number =>
  childrenOf(pid).reduce((sum, child) => sum + processorOf(child), takenBy(`/proc/${pid}`))

const childrenOf = (pid: number | string): readonly string[] =>
  namesIn(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean),
  )

/** A process and those its threads have started. */
export const familyOf = (pid: number): readonly number[] => [
  pid,
  ...childrenOf(pid).flatMap((child) => familyOf(Number(child))),
]

/** Megabytes that are resident, of a process and those its threads have started; what they share counts for each. */
export const residentOf = (pid: number): number =>
  familyOf(pid).reduce((sum, one) => {
    const [, kibibytes = 0] = /VmRSS:\s+(\d+) kB/.exec(textOf(`/proc/${one}/status`)) ?? []
    return sum + (Number(kibibytes) * 1024) / 1e6
  }, 0)

/** Milliseconds of processor by process of PostgreSQL on this machine that serves connections to one of its databases. */
export function databaseProcessor(name: string): Map<string, number> {
  // Their titles are `postgres: user database address(port) what`.
  const serves = (pid: string): boolean => textOf(`/proc/${pid}/cmdline`).split(' ', 4)[2] === name
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && serves(entry))
  return new Map(pids.map((pid) => [pid, processorOf(pid)]))
}

/** What processes took between two looks: those that ended between are left out, and what they took before them too. */
export function takenBetween(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0)
}
