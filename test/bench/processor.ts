// Processor time of processes on this machine, from /proc.

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

/** Milliseconds of processor of a process and those it has started; 0 for one that has ended. */
export function processorOf(pid: number | string): number {
  const fields = textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  const own = (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS
  const children = textOf(`/proc/${pid}/task/${pid}/children`).trim()
  return children === '' ? own : children.split(' ').reduce((sum, child) => sum + processorOf(child), own)
}

/** Milliseconds of processor of the processes of PostgreSQL on this machine that serve connections to one of its databases. */
export function databaseProcessor(name: string): number {
  // Their titles are `postgres: user database address(port) what`.
  const serves = (pid: string): boolean => textOf(`/proc/${pid}/cmdline`).split(' ', 4)[2] === name
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && serves(entry))
  return pids.reduce((sum, pid) => sum + processorOf(pid), 0)
}
