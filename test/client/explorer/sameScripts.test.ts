// The scripts of the explorer are the same wherever the project lies: caches know them by names that are made of what they hold.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../setup/runningService.ts'

const SCRIPTS = '.build/explorer'
/** Packages that go into the scripts: they are copied, since what is linked is known by where it lies. */
const BUNDLED = ['preact', '@preact']
const COPIED = [
  'package.json',
  'client',
  'shared',
  'server',
  '.build',
  ...BUNDLED.map((name) => `node_modules/${name}`),
]

test('built in another folder they have the same names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-elsewhere-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const path of COPIED) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(root, path), join(folder, path), { recursive: true })
  }
  for (const name of await readdir(join(root, 'node_modules')))
    if (!BUNDLED.includes(name)) await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  await rm(join(folder, SCRIPTS), { recursive: true })
  await promisify(execFile)(process.execPath, [join(folder, '.build/server/build/main.js'), 'page'])
  const [there, here] = await Promise.all([folder, root].map((one) => readdir(join(one, SCRIPTS))))
  expect(there).toEqual(here)
})
