import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCommand } from '../../../server/cli/open/command.ts'

async function run(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const lines: string[] = []
  const say = (text: string) => lines.push(text)
  const code = await openCommand.run(argv, { env, out: say, err: say })
  return { code, text: lines.join('\n') }
}

/** Something that answers, as a running service does unless it is told otherwise. */
async function answering(
  work: (url: string) => Promise<void>,
  page = '<title>Explorer · tonrpc devnet</title>',
): Promise<void> {
  const server = createServer((_, res) => res.end(page))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}

test('where no service answers it says how to start one', async () => {
  const { code, text } = await run(['--url', 'http://127.0.0.1:1'])
  expect(code).toBe(1)
  expect(text).toMatch(/no service answers at http:\/\/127\.0\.0\.1:1: start it/)
})

test('what is no service is not opened', async () => {
  await answering(async (url) => {
    const { code, text } = await run(['--url', url], { PATH: '/nowhere' })
    expect([code, text]).toEqual([1, `tonrpc: what answers at ${url} is no tonrpc: name one with --url`])
  }, '<title>Vite App</title>')
})

test.skipIf(process.platform !== 'linux')('the address is given to the program that opens it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-open-'))
  const opener = join(folder, 'xdg-open')
  await writeFile(opener, `#!/bin/sh\nprintf %s "$1" > ${folder}/opened\n`)
  await chmod(opener, 0o755)
  await answering(async (url) => {
    expect(await run(['--url', url], { PATH: `${folder}:/usr/bin:/bin` })).toEqual({ code: 0, text: `opened ${url}/` })
    await expect.poll(() => readFile(join(folder, 'opened'), 'utf8').catch(() => '')).toBe(`${url}/`)
  })
  await rm(folder, { recursive: true })
})

test.skipIf(process.platform !== 'linux')('without such a program it says what to open', async () => {
  await answering(async (url) => {
    const { code, text } = await run(['--url', url], { PATH: '/nowhere' })
    expect(code).toBe(0)
    expect(text).toContain(`open ${url}/ in one`)
  })
})
