import { availableParallelism, totalmem } from 'node:os'
import { defineConfig, type TestUserConfig } from 'vitest/config'
import { builtSources, isBuilt } from './setup/builtSources.ts'
import { clockFiles } from './setup/clockFiles.ts'
import { lateFiles, Order } from './setup/order.ts'
import { Summary } from './setup/summary.ts'

// What each thread allocates natively, glibc keeps apart when the thread has ended: of a process that ran hundreds, 100 MB.
process.env.MALLOC_ARENA_MAX ??= '2'

const both: TestUserConfig = {
  root: 'test',
  pool: 'forks',
  // Files share their process: to load everything again for each of them costs as much as all the tests.
  isolate: false,
  // Megabytes for what was just made: with the 16 of V8, a tenth of the processor time of the tests is its collection. With 64
  // a process is 80 MB larger, and no faster.
  execArgv: ['--max-semi-space-size=32', '--min-semi-space-size=16'],
  setupFiles: ['setup/seed.ts'],
  // For what never ends. A busy machine must not meet them.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000 } },
  server: { deps: { external: [isBuilt] } },
}

const GIB = 1024 ** 3
/** Two more than there are cores, as far as memory goes: some wait for processes they started. With two for each, all take longer. */
const maxWorkers = Math.max(1, Math.min(availableParallelism() + 2, Math.floor(totalmem() / (1.5 * GIB))))

export default defineConfig({
  test: {
    root: 'test',
    reporters: ['default', new Summary()],
    // Here rather than in the projects, or each of them would build.
    globalSetup: ['setup/build.ts'],
    maxWorkers,
    sequence: { sequencer: Order },
    projects: [
      {
        plugins: [builtSources],
        test: { ...both, name: 'fast', include: ['**/*.test.ts'], exclude: [...lateFiles, ...clockFiles] },
      },
      { plugins: [builtSources], test: { ...both, name: 'late', include: [...lateFiles] } },
      { plugins: [builtSources], test: { ...both, name: 'clock', isolate: true, include: [...clockFiles] } },
    ],
  },
})
