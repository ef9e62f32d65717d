import { defineConfig } from 'vitest/config'
import { Summary } from './setup/summary.ts'

export default defineConfig({
  test: {
    root: 'test',
    include: ['**/*.test.ts'],
    reporters: ['default', new Summary()],
    globalSetup: ['setup/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
})
