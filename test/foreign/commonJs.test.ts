// Projects that compile to CommonJS with TypeScript 5, as those of Blueprint do: their compiler reads no `exports`.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { finish, installNpm } from '../setup/foreignTools.ts'
import { root } from '../setup/runningService.ts'

const tools = await installNpm(['typescript@5.9.3'])
const project = mkdtempSync(join(tmpdir(), 'tonrpc-commonjs-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

const tsc = join(tools.folder, 'node_modules/typescript/bin/tsc')

test.for<[entry: string, place: string]>([
  ['tonrpc/client', root],
  ['tonrpc-client', join(root, 'client')],
])('%s: each entry has its types, and runs', async ([entry, place], context) => {
  tools.require(context)
  const folder = join(project, entry)
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(place, join(folder, 'node_modules', entry.split('/')[0] ?? ''))
  symlinkSync(join(root, 'node_modules/@ton'), join(folder, 'node_modules/@ton'))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const script = `import { createClient, formatTon } from '${entry}'
import { createTon } from '${entry}/ton'
import { stream } from '${entry}/ws'
const client = createClient({ url: 'http://localhost:1', stream })
export const read = async (): Promise<string> => formatTon(await client.getAddressBalance({ address: '' }))
// @ts-expect-error: no such method
export const none = () => client.getAddressBalanse({ address: '' })
console.log(typeof createTon(client).provider, typeof read)
`
  writeFileSync(join(folder, 'script.ts'), script)
  const compilerOptions = { module: 'commonjs', target: 'ES2022', lib: ['ES2023', 'DOM'], types: [], strict: true }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true }, files: ['script.ts'] }),
  )
  expect(await finish(process.execPath, [tsc, '-p', '.'], { cwd: folder })).toEqual({ code: 0, text: '' })
  // Node 20 notes once that modules are loaded by require.
  const run = await finish(process.execPath, ['--no-warnings', 'script.js'], { cwd: folder })
  expect(run).toEqual({ code: 0, text: 'function function\n' })
})
