// Tests of the command line, the package and the pages run what `npm run build` makes: build it once, before all.

import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const root = dirname(require.resolve('tonrpc/package.json'))

export function setup(): void {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [tsc, '-b', 'shared', 'client', 'server'], { cwd: root, stdio: 'inherit' })
}
