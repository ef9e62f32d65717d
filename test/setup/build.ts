// Tests of the command line, the package and the pages run what `npm run build` makes: build it once, before all.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundleRooms } from './childRooms.ts'
import { playedFolder } from './playedFolder.ts'

const require = createRequire(import.meta.url)
const root = dirname(require.resolve('tonrpc/package.json'))
const FOLDERS = ['shared', 'client', 'client/ton', 'server']

/** The compiler leaves what it once made of a source that is gone: tests must not find more than a fresh clone has. */
function removeStrays(folder: string): void {
  const built = join(root, '.build', folder)
  for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|d\.ts)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const source = join(root, folder, file.slice(built.length + 1)).replace(/(\.d\.ts|\.js)$/, '.ts')
    if (!existsSync(source) && !existsSync(`${source}x`)) rmSync(file)
  }
}

export async function setup(): Promise<void> {
  await removePlayed()
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
  const run = (script: string, ...args: string[]) =>
    execFileSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' })
  run(tsc, '-b', ...FOLDERS)
  FOLDERS.forEach(removeStrays)
  run(join(root, '.build/server/build/main.js'))
  await bundleRooms()
}

/** Also at the start: a run that was killed may have left one, and had the same number. */
const removePlayed = (): Promise<void> => rm(playedFolder(process.pid), { recursive: true, force: true })

export const teardown = removePlayed
