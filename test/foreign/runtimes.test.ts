// Tests that run in Bun or Deno: what `tonrpc/testing` starts for them runs in Node, and ends with them. The command itself is refused
// there.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { finish, installNpm } from '../setup/foreignTools.ts'
import { root } from '../setup/runningService.ts'

const { arch, platform } = process
// The programs alone: the packages named after them bring one for each kind of processor, or fetch it by a script.
const bun = `@oven/bun-${platform === 'win32' ? 'windows' : platform}-${arch === 'arm64' ? 'aarch64' : arch}`
const deno = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`

const SCRIPT = `
const { startTestService } = await import('${pathToFileURL(join(root, '.build/testing/testing.js')).href}')
const { url, client, stop } = await startTestService()
console.log((await client.getMasterchainInfo()).last.workchain)
await stop()
console.log(await fetch(url).catch(() => 'stopped'))
await startTestService()
`

const RUNTIMES = [
  ['Bun', `${bun}@1.4.5`, `${bun}/bin/bun`, ['-e'], ['run']],
  ['Deno', `${deno}@2.9.6`, `${deno}/deno`, ['eval'], ['run', '-A']],
] as const

test.for(RUNTIMES)('%s', async ([, name, program, words], context) => {
  const tools = await installNpm([name])
  tools.require(context)
  const command = join(tools.folder, 'node_modules', program)
  expect(await finish(command, [...words, SCRIPT])).toEqual({ code: 0, text: '-1\nstopped\n' })
})

test.for(RUNTIMES)('%s does not run the command', async ([title, name, program, , words], context) => {
  const tools = await installNpm([name])
  tools.require(context)
  const command = join(tools.folder, 'node_modules', program)
  expect(await finish(command, [...words, join(root, '.build/bin/main.js'), 'keys', 'list'])).toEqual({
    code: 1,
    text: `tonrpc: this runs in Node, not in ${title}: start it with Node 20.19 or a newer one, as npx tonrpc does\n`,
  })
})
