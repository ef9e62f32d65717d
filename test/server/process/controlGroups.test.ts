// Limits of control groups, read from folders that are like those of a system, and what threads and processes follow from them.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { autoProcesses } from '../../../server/app/settings/processes.ts'
import { availableProcessors, contractThreads, readGroupLimits } from '../../../server/process/index.ts'

const MB = 1 << 20
const NONE = { memory: Number.POSITIVE_INFINITY, processors: Number.POSITIVE_INFINITY }

interface MadeSystem {
  /** Lines of `/proc/self/cgroup`. */
  readonly groups: readonly string[]
  /** Where a group is seen, at which point, and its system with options. */
  readonly mounts: readonly (readonly [top: string, point: string, system: string])[]
  readonly files: Readonly<Record<string, string | number>>
}

async function limitsOf({ groups, mounts, files }: MadeSystem) {
  const root = await mkdtemp(join(tmpdir(), 'tonrpc-groups-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const lines = mounts.map(
    ([top, point, system], i) => `${30 + i} 24 0:${i} ${top} ${point} rw,nosuid shared:9 - ${system}`,
  )
  const all = {
    'proc/self/cgroup': groups.join('\n'),
    'proc/self/mountinfo': ['24 1 254:0 / / rw - ext4 /dev/vda rw', ...lines].join('\n'),
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), `${text}\n`)
  }
  return readGroupLimits(root)
}

const UNIFIED = ['/', '/sys/fs/cgroup', 'cgroup2 cgroup2 rw,nsdelegate'] as const

describe('version 2', () => {
  test('default: a container sees its own group as the top', async () => {
    const files = { 'sys/fs/cgroup/memory.max': 512 * MB, 'sys/fs/cgroup/cpu.max': '150000 100000' }
    expect(await limitsOf({ groups: ['0::/'], mounts: [UNIFIED], files })).toEqual({
      memory: 512 * MB,
      processors: 1.5,
    })
  })

  test('the lowest of the own group and all above it', async () => {
    const slice = 'sys/fs/cgroup/system.slice'
    const files = {
      [`${slice}/memory.max`]: 'max',
      [`${slice}/memory.high`]: 700 * MB,
      [`${slice}/cpu.max`]: 'max 100000',
      [`${slice}/tonrpc.service/memory.max`]: 900 * MB,
      [`${slice}/tonrpc.service/cpu.max`]: '400000 100000',
      [`${slice}/tonrpc.service/inner/memory.max`]: 'max',
      [`${slice}/tonrpc.service/inner/cpu.max`]: '50000 10000',
      [`${slice}/other.service/memory.max`]: 1 * MB,
    }
    const groups = ['0::/system.slice/tonrpc.service/inner']
    expect(await limitsOf({ groups, mounts: [UNIFIED], files })).toEqual({ memory: 700 * MB, processors: 4 })
  })

  test('no limit', async () => {
    const files = { 'sys/fs/cgroup/a/memory.max': 'max', 'sys/fs/cgroup/a/cpu.max': 'max 100000' }
    expect(await limitsOf({ groups: ['0::/a'], mounts: [UNIFIED], files })).toEqual(NONE)
  })

  test('a group out of what a namespace shows has the limits of what is shown', async () => {
    const files = { 'sys/fs/cgroup/memory.max': 800 * MB, 'sys/fs/other/memory.max': 1 * MB }
    expect(await limitsOf({ groups: ['0::/../other'], mounts: [UNIFIED], files })).toMatchObject({ memory: 800 * MB })
  })
})

describe('version 1', () => {
  const mountsOf = (top: string) =>
    [
      [top, '/sys/fs/cgroup/cpu,cpuacct', 'cgroup cgroup rw,cpu,cpuacct'],
      [top, '/sys/fs/cgroup/memory', 'cgroup cgroup rw,memory'],
      ['/', '/sys/fs/cgroup/unified', 'cgroup2 cgroup2 rw'],
    ] as const

  test('each controller has a tree of its own, next to an empty one of version 2', async () => {
    const files = {
      'sys/fs/cgroup/memory/jobs/one/memory.limit_in_bytes': '9223372036854771712',
      'sys/fs/cgroup/memory/jobs/memory.limit_in_bytes': 600 * MB,
      'sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_quota_us': 200_000,
      'sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_period_us': 100_000,
      'sys/fs/cgroup/cpu,cpuacct/jobs/one/cpu.cfs_quota_us': -1,
      'sys/fs/cgroup/cpu,cpuacct/jobs/one/cpu.cfs_period_us': 100_000,
    }
    const groups = ['5:memory:/jobs/one', '3:cpu,cpuacct:/jobs/one', '1:name=systemd:/jobs', '0::/jobs/one']
    expect(await limitsOf({ groups, mounts: mountsOf('/'), files })).toEqual({ memory: 600 * MB, processors: 2 })
  })

  test('in a container the name of the group is that outside, and its folder is the top', async () => {
    const files = {
      'sys/fs/cgroup/memory/memory.limit_in_bytes': 300 * MB,
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': 50_000,
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': 100_000,
    }
    const groups = ['5:memory:/docker/1f', '3:cpu,cpuacct:/docker/1f']
    const limits = { memory: 300 * MB, processors: 0.5 }
    expect(await limitsOf({ groups, mounts: mountsOf('/docker/1f'), files })).toEqual(limits)
  })

  test('a point with a space in its name', async () => {
    const mounts = [['/', '/control\\040groups', 'cgroup cgroup rw,memory']] as const
    const files = { 'control groups/memory.limit_in_bytes': 400 * MB }
    expect(await limitsOf({ groups: ['5:memory:/'], mounts, files })).toMatchObject({ memory: 400 * MB })
  })
})

test('a system without control groups has no limits', async () => {
  expect(readGroupLimits(join(tmpdir(), 'no such folder'))).toEqual(NONE)
})

test('processors: whole ones of the quota, at least one, at most those there are', () => {
  const counts = [0.5, 1, 1.5, 3, 8.9, 64, Number.POSITIVE_INFINITY].map((quota) => availableProcessors(quota, 16))
  expect(counts).toEqual([1, 1, 1, 3, 8, 16, 16])
})

test('threads for contracts: one processor fewer, as many as there is memory for, at least two', () => {
  const counts = [
    contractThreads(1, 24_000),
    contractThreads(64, 24_000),
    contractThreads(64, 1024),
    contractThreads(64, 128),
  ]
  expect(counts).toEqual([2, 63, 8, 2])
})

test('processes by themselves: of the processors, four at most, as many as there is memory for', () => {
  const counts = [autoProcesses(1, 24_000), autoProcesses(64, 24_000), autoProcesses(64, 512), autoProcesses(64, 128)]
  expect(counts).toEqual([1, 4, 2, 1])
})
