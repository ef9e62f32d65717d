// What benchmarks say a service takes is what all of its processes take.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { processorOf, residentOf } from './processor.ts'

const CHILD = `const kept = Buffer.alloc(64e6, 1)
  while (process.cpuUsage().user < 300_000);
  console.log(kept.length)
  setInterval(() => kept, 1000)`
const PARENT = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(CHILD)}], { stdio: 'inherit' })`

test.runIf(process.platform === 'linux')(
  'behavior: processor and memory of a process and of those it started',
  async () => {
    const parent = spawn(process.execPath, ['-e', PARENT], { stdio: ['ignore', 'pipe', 'inherit'] })
    const { pid = 0 } = parent
    await once(parent.stdout, 'data')
    const [child = 0] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number)
    onTestFinished(() => {
      for (const one of [child, pid]) process.kill(one, 'SIGKILL')
    })
    expect(processorOf(pid)).toBeGreaterThan(250)
    expect(residentOf(child)).toBeGreaterThan(64)
    expect(residentOf(pid)).toBeGreaterThan(64 + residentOf(child) / 2)
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child}/status`, 'utf8')) ?? []
    expect(residentOf(child)).toBeCloseTo((Number(kilobytes) * 1024) / 1e6, 0)
  },
)
