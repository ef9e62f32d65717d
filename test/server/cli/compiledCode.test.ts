// What Node keeps of compiled code for the next start.

import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { mainFile } from '../../setup/runningService.ts'

const folder = join(dirname(dirname(mainFile)), 'compiled')

const version = () => spawnSync(process.execPath, [mainFile, '--version'], { encoding: 'utf8' })

// Node 20 keeps none.
test.runIf('enableCompileCache' in module)('is next to the code, and damage to it does no harm', () => {
  const { stdout } = version()
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(kept.length).toBeGreaterThan(2)
  for (const { parentPath, name } of kept) writeFileSync(join(parentPath, name), 'damaged')
  expect(version()).toMatchObject({ status: 0, stdout, stderr: '' })
})
