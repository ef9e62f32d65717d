// Projects whose tests run in Jest, which loads CommonJS: with the lines of the guide it loads the client, and starts services for
// tests.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { finish, installNpm } from '../setup/foreignTools.ts'
import { root } from '../setup/runningService.ts'

const tools = await installNpm([
  'jest@30.5.2',
  'ts-jest@29.4.15',
  '@swc/jest@0.2.39',
  '@swc/core@1.16.22',
  'typescript@5.9.3',
])
const project = mkdtempSync(join(tmpdir(), 'tonrpc-jest-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

const guide = readFileSync(join(root, 'server/docs/guides/clients.md'), 'utf8')
// The cast: a part of a package.json.
const { jest } = JSON.parse(/### Jest.*?```json\n(.*?)```/s.exec(guide)?.[1] ?? '{}') as {
  jest: { preset: string; transformIgnorePatterns: readonly string[] }
}
const { preset: _, ...withoutPreset } = jest

const SCRIPT = `import { expect, test } from '@jest/globals'
import { createClient, formatTon } from 'tonrpc/client'
import { createTon } from 'tonrpc/client/ton'
import { stream } from 'tonrpc/client/ws'
import { startTestService } from 'tonrpc/testing'
test('a service', async () => {
  const { client, stop } = await startTestService()
  expect((await client.getMasterchainInfo()).last.workchain).toBe(-1)
  await stop()
}, 300_000)
test('the client', () => {
  const client = createClient({ url: 'http://localhost:1', stream })
  expect(typeof createTon(client).provider).toBe('function')
  expect(formatTon(1_500_000_000n)).toBe('1.5')
})
`

/** A project with the packed files of the client; Jest compiles by where a file is, so that no link may lead out of it. */
async function runJest(name: string, config: object): Promise<{ code: number | null; text: string }> {
  const folder = join(project, name)
  const packed = join(folder, 'node_modules/tonrpc')
  mkdirSync(join(packed, 'client'), { recursive: true })
  cpSync(join(root, 'package.json'), join(packed, 'package.json'))
  cpSync(join(root, 'client/package.json'), join(packed, 'client/package.json'))
  cpSync(join(root, 'client/.build'), join(packed, 'client/.build'), { recursive: true })
  cpSync(join(root, '.build/testing'), join(packed, '.build/testing'), { recursive: true })
  symlinkSync(join(root, '.build/bin'), join(packed, '.build/bin'))
  const modules = join(tools.folder, 'node_modules')
  for (const one of ['ts-jest', 'typescript', '@swc', '@jest'])
    symlinkSync(join(modules, one), join(folder, 'node_modules', one))
  symlinkSync(join(root, 'node_modules/@ton'), join(folder, 'node_modules/@ton'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, jest: config }))
  const compilerOptions = {
    module: 'commonjs',
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    types: [],
    skipLibCheck: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  writeFileSync(join(folder, 'client.test.ts'), SCRIPT)
  return await finish(process.execPath, [join(modules, 'jest/bin/jest.js'), '--no-cache'], { cwd: folder })
}

const swc = { transform: { '\\.[jt]sx?$': '@swc/jest' } }

test.for<[name: string, config: object, code: number]>([
  ['ts-jest', jest, 0],
  ['swc', { ...swc, ...withoutPreset }, 0],
  // The lines are there for this.
  ['without', { preset: 'ts-jest' }, 1],
])('%s', async ([name, config, code], context) => {
  tools.require(context)
  expect(await runJest(name, config)).toEqual({
    code,
    text: expect.stringContaining(code === 0 ? '2 passed, 2 total' : 'Must use import to load ES Module'),
  })
})
