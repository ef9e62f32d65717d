import { availableParallelism } from 'node:os'
import { defineConfig, type TestUserConfig } from 'vitest/config'
import { builtSources, isBuilt } from './setup/builtSources.ts'
import { lateFiles, Order } from './setup/order.ts'
import { Summary } from './setup/summary.ts'

const both: TestUserConfig = {
  root: 'test',
  pool: 'forks',
  // Files share their process: to load everything anew for each of them costs as much as all the tests.
  isolate: false,
  // For what never ends. A busy machine must not meet them.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
  server: { deps: { external: [isBuilt] } },
}

export default defineConfig({
  test: {
    root: 'test',
    reporters: ['default', new Summary()],
    // Here rather than in the projects, or each of them would build.
    globalSetup: ['setup/build.ts'],
    // Half as many again as there are cores: with one more, a quarter of the processor time was left idle by those that wait
    // for other programs, for browsers and for connections.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: Order },
    projects: [
      { plugins: [builtSources], test: { ...both, name: 'fast', include: ['**/*.test.ts'], exclude: [...lateFiles] } },
      { plugins: [builtSources], test: { ...both, name: 'late', include: [...lateFiles] } },
    ],
  },
})
