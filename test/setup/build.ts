// Tests of the command line, the package and the pages run what `npm run build` makes: build it once, before all.

import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))

export function setup(): void {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-b', 'shared', 'client', 'server'], { cwd: join(root), stdio: 'inherit' })
}
