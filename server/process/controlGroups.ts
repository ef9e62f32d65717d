// What the control groups of Linux leave to this process: memory, and processors by their quota. A group has no more than its
// parents have, so the lowest limit of all counts. Versions 1 and 2 may be mounted together, each with limits of its own.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Infinity where there is no limit. */
export interface GroupLimits {
  /** Bytes. */
  readonly memory: number
  /** Processors at work all the time, as 1.5. */
  readonly processors: number
}

interface GroupMount {
  readonly point: string
  /** The group that is seen at that point: in a container its own one. */
  readonly top: string
  /** Null for version 2, which has all in one tree. */
  readonly controllers: readonly string[] | null
}

const NONE = Number.POSITIVE_INFINITY

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

/** A file without a limit has a word, -1, or a number larger than any machine. */
const limitIn = (text: string): number => (/^[1-9]\d*$/.test(text) ? Number(text) : NONE)

/** Spaces are written as `\040`. */
const unescaped = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))

function readMounts(root: string): GroupMount[] {
  return textOf(join(root, 'proc/self/mountinfo'))
    .split('\n')
    .flatMap((line) => {
      const [place = '', system = ''] = line.split(' - ')
      const [, , , top = '', point = ''] = place.split(' ')
      const [kind, , options = ''] = system.split(' ')
      if (kind !== 'cgroup' && kind !== 'cgroup2') return []
      const controllers = kind === 'cgroup' ? options.split(',') : null
      return [{ point: join(root, unescaped(point)), top: unescaped(top), controllers }]
    })
}

/** The group's folder and those of its parents, as far as they are seen here. */
function foldersOf({ point, top }: GroupMount, group: string): string[] {
  const above = top === '/' ? '' : top
  const names = group.startsWith(`${above}/`) ? group.slice(above.length).split('/').filter(Boolean) : []
  // Out of what a namespace shows.
  if (names.includes('..')) return [point]
  return [point, ...names.map((_, i) => join(point, ...names.slice(0, i + 1)))]
}

const quotaOf = (quota: string, period: string): number => limitIn(quota) / Math.max(1, Number(period))

/** Beyond `high` and the soft limit memory is taken back from the group, which makes it slow. */
function limitsIn(folder: string, controllers: readonly string[] | null): GroupLimits {
  const read = (file: string): string => textOf(join(folder, file))
  const lowest = (...files: string[]): number => Math.min(...files.map((file) => limitIn(read(file))))
  if (controllers === null) {
    const [quota = '', period = ''] = read('cpu.max').split(' ')
    return { memory: lowest('memory.max', 'memory.high'), processors: quotaOf(quota, period) }
  }
  return {
    memory: controllers.includes('memory') ? lowest('memory.limit_in_bytes', 'memory.soft_limit_in_bytes') : NONE,
    processors: controllers.includes('cpu') ? quotaOf(read('cpu.cfs_quota_us'), read('cpu.cfs_period_us')) : NONE,
  }
}

/** `root` is where `/proc` and the mounted groups are. Elsewhere than on Linux there are none. */
export function readGroupLimits(root = '/'): GroupLimits {
  const mounts = readMounts(root)
  const limits = { memory: NONE, processors: NONE }
  for (const line of textOf(join(root, 'proc/self/cgroup')).split('\n')) {
    const [, names = '', group = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    for (const mount of mounts) {
      const { controllers } = mount
      const isOfGroup =
        controllers === null ? names === '' : names.split(',').every((name) => controllers.includes(name))
      for (const folder of isOfGroup ? foldersOf(mount, group) : []) {
        const { memory, processors } = limitsIn(folder, controllers)
        limits.memory = Math.min(limits.memory, memory)
        limits.processors = Math.min(limits.processors, processors)
      }
    }
  }
  return limits
}

let own: GroupLimits | null = null

/** Those of this process, as they were when they were needed first. */
export function groupLimits(): GroupLimits {
  own ??= readGroupLimits()
  return own
}
