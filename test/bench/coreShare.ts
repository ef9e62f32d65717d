// Holds each of several processes to a share of a core by control groups of Linux (root), version 1 or 2: how answers grow with
// the number of processes shows on a machine that has fewer cores than they, their database and their callers want.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'

const PERIOD_US = 10_000
const VERSION_1 = '/sys/fs/cgroup/cpu'
const VERSION_2 = '/sys/fs/cgroup'
const isVersion1 = existsSync(`${VERSION_1}/cpu.cfs_quota_us`)
const root = isVersion1 ? VERSION_1 : VERSION_2

function limit(folder: string, percent: number): void {
  const quota = Math.round((PERIOD_US * percent) / 100)
  if (isVersion1) {
    writeFileSync(`${folder}/cpu.cfs_period_us`, `${PERIOD_US}`)
    writeFileSync(`${folder}/cpu.cfs_quota_us`, `${quota}`)
  } else writeFileSync(`${folder}/cpu.max`, `${quota} ${PERIOD_US}`)
}

/** Until they are let go: `percent` of a core for each process with all its threads. */
export function holdEach(pids: readonly number[], percent: number): () => void {
  const folders = pids.map((pid) => `${root}/tonrpc-bench-${pid}`)
  for (const [i, folder] of folders.entries()) {
    mkdirSync(folder, { recursive: true })
    limit(folder, percent)
    writeFileSync(`${folder}/cgroup.procs`, `${pids[i]}`)
  }
  return () => {
    for (const folder of folders) {
      for (const pid of readFileSync(`${folder}/cgroup.procs`, 'utf8').split('\n').filter(Boolean))
        writeFileSync(`${root}/cgroup.procs`, pid)
      rmdirSync(folder)
    }
  }
}
