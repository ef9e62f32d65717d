// Projects of Yarn's Plug'n'Play, where packages stay in their archives: a module that is loaded by `require` finds the ones next to
// it only in a package that is unpacked.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { finish, installNpm } from '../setup/foreignTools.ts'
import { root } from '../setup/runningService.ts'

const tools = await installNpm(['@yarnpkg/cli-dist@4.18.1'])
const outer = mkdtempSync(join(tmpdir(), 'tonrpc-plug-'))
afterAll(() => rmSync(outer, { recursive: true, force: true }))

const yarn = join(tools.folder, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js')
const env = { YARN_ENABLE_GLOBAL_CACHE: '0', YARN_ENABLE_TELEMETRY: '0', NODE_OPTIONS: '--no-warnings' }

/** The client alone, without what the service depends on. */
async function packed(name: string, build: string): Promise<string> {
  const folder = join(outer, `${name}-packed`)
  const {
    dependencies: _,
    devDependencies: __,
    ...rest
  } = JSON.parse(readFileSync(join(root, name === 'tonrpc' ? '.' : 'client', 'package.json'), 'utf8'))
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(rest))
  cpSync(join(root, 'client/.build'), join(folder, build), { recursive: true })
  const { code, text } = await finish('npm', ['pack', '--ignore-scripts', '--pack-destination', outer], { cwd: folder })
  expect(code, text).toBe(0)
  return join(outer, `${name}-${rest.version}.tgz`)
}

test.for<[name: string, entry: string, build: string]>([
  ['tonrpc', 'tonrpc/client', 'client/.build'],
  ['tonrpc-client', 'tonrpc-client', '.build'],
])('%s is loaded by require', async ([name, entry, build], context) => {
  tools.require(context)
  const file = await packed(name, build)
  const folder = join(outer, name)
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { [name]: `file:${file}` } }),
  )
  writeFileSync(join(folder, 'yarn.lock'), '')
  writeFileSync(
    join(folder, 'script.cjs'),
    `console.log(typeof require('${entry}').createClient, typeof require('${entry}/ws').stream)`,
  )
  const installed = await finish(process.execPath, [yarn, 'install', '--no-immutable'], { cwd: folder, env })
  expect(installed.code, installed.text).toBe(0)
  const run = await finish(process.execPath, [yarn, 'node', 'script.cjs'], { cwd: folder, env })
  expect(run).toEqual({ code: 0, text: 'function function\n' })
})
