// What Node keeps of compiled code for the next start.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../setup/children.ts'
import { mainFile, root, run } from '../../setup/runningService.ts'

const folder = join(dirname(dirname(mainFile)), 'compiled')

const version = (...flags: readonly string[]) =>
  spawnSync(process.execPath, [...flags, mainFile, '--version'], { encoding: 'utf8' })

test('versions of Node that do not give out their modules start all the same', () => {
  const asOlder = version('--import', 'data:text/javascript,delete process.getBuiltinModule')
  expect(asOlder).toMatchObject({ status: 0, stdout: version().stdout, stderr: '' })
})

// Node 20 keeps none.
test.runIf('enableCompileCache' in module)('is next to the code, and damage to it does no harm', () => {
  const { stdout } = version()
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(kept.length).toBeGreaterThan(2)
  for (const { parentPath, name } of kept) writeFileSync(join(parentPath, name), 'damaged')
  expect(version()).toMatchObject({ status: 0, stdout, stderr: '' })
})

/** The built command in a folder of its own. */
function copied(top: string): string {
  mkdirSync(join(top, '.build'), { recursive: true })
  cpSync(join(root, '.build/bin'), join(top, '.build/bin'), { recursive: true })
  for (const name of [
    'package.json',
    'node_modules',
    'client',
    'server',
    '.build/explorer',
    '.build/reference',
    '.build/server',
  ])
    symlinkSync(join(root, name), join(top, name))
  return join(top, '.build/bin/main.js')
}

// Node keeps code by the flags in force, and the growth of heaps changes after each collection.
test.runIf('enableCompileCache' in module)('is in one folder, whatever flags threads start with', async () => {
  const top = await temporaryFolder()
  const data = join(top, 'data')
  await using service = run(process.execPath, [copied(top), '--port', '0', '--seed', 'none', '--data', data])
  const [, v3] = await service.says(/ v3 +(http\S+)/)
  expect(await fetch(`${v3}masterchainInfo`)).toMatchObject({ status: 200 })
  service.child.kill('SIGTERM')
  await service.ended
  expect(readdirSync(join(top, '.build/compiled'))).toHaveLength(1)
})
