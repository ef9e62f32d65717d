import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: 'test',
    include: ['**/*.test.ts'],
    globalSetup: ['setup/build.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
})
