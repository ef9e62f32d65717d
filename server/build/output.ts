// Where the build writes, and whether a result is up to date.

import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
/** What the compiler of TypeScript writes. */
export const built = join(root, '.build')

/** How rooms are bundled for Node: shared parts in files of their own, packages where they are installed. */
export const NODE_BUNDLE = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
} as const

const timeOf = (path: string): number => (existsSync(path) ? statSync(path).mtimeMs : 0)

/** Whether one of the projects was compiled after this file was written. */
export const isOutdated = (file: string, projects: readonly string[]): boolean =>
  projects.some((name) => timeOf(join(built, `${name}.tsbuildinfo`)) > timeOf(file))
