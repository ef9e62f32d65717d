// Tests of the command line, the package and the pages run what `npm run build` makes: build it once, before all.

import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const root = dirname(require.resolve('tonrpc/package.json'))

export function setup(): void {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
  const run = (script: string, ...args: string[]) =>
    execFileSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' })
  run(tsc, '-b', 'shared', 'client', 'server')
  run(join(root, '.build/server/node/devchain/contracts/build.js'))
}
