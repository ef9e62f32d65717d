// `tonrpc webhooks`: what it asks a service for, and where something else answers.

import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { webhooksCommand } from '../../../../server/cli/webhooks/command.ts'
import { temporaryFolder } from '../../../setup/children.ts'

function answering(text: string, heard?: (body: string, key: unknown) => void): Promise<string> {
  const server = createServer(async (req, res) => {
    heard?.(await textOf(req), req.headers['x-api-key'])
    res.end(text)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  return new Promise((resolve) => {
    server.once('listening', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

const run = (...argv: string[]) => runIn({}, ...argv)

async function runIn(env: Readonly<Record<string, string>>, ...argv: string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await webhooksCommand.run(argv, {
    env,
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  })
  return { code, out, err: err.join('\n') }
}

test.each([
  ['list'],
  ['add', 'https://example.com/hook'],
  ['remove', '1'],
  ['deliveries', '1'],
  ['test', '1'],
  ['replay', '1', '--from', '2'],
])('%s: another service is named as one, in a line', async (...words) => {
  for (const text of ['<html>hello</html>', 'null', '[]']) {
    const url = await answering(text)
    const ended = await run(...words, '--url', url)
    expect(ended).toEqual({
      code: 1,
      out: [],
      err: `tonrpc: what answers at ${url} is no tonrpc: name one with --url`,
    })
  }
})

test.each([
  [['--addresses', '0:44'], { types: ['transactions'], addresses: ['0:44'] }],
  [
    ['--types', 'trace,actions', '--traces', 'ab,cd', '--action-types', 'jetton_transfer'],
    {
      types: ['trace', 'actions'],
      addresses: [],
      trace_external_hash_norms: ['ab', 'cd'],
      action_types: ['jetton_transfer'],
    },
  ],
])('add asks for what its words name: %j', async (words, subscription) => {
  const heard: string[] = []
  const url = await answering('{"webhook_id":1,"token":"t","secret":"s"}', (body) => heard.push(body))
  const ended = await run('add', 'https://example.com/hook', ...words, '--url', url)
  expect(ended.code).toBe(0)
  expect(heard.map((body) => JSON.parse(body))).toEqual([
    { endpoint: 'https://example.com/hook', description: '', subscription },
  ])
})

test('add says what type trace needs', async () => {
  const ended = await run('add', 'https://example.com/hook', '--types', 'trace')
  expect(ended).toMatchObject({ code: 2, out: [] })
  expect(ended.err).toContain('type trace needs --traces')
})

test('a key file that cannot be read is named, with the reason and what to name', async () => {
  expect(await run('list', '--key-file', '/none/key')).toEqual({
    code: 1,
    out: [],
    err: 'tonrpc: --key-file: the file /none/key cannot be read (ENOENT): name one that holds the API key',
  })
})

test.each([
  '',
  ' \n',
  'made for you:\ntonrpc_devnet_secret\n',
  'tonrpc_devnet_secret tonrpc_devnet_secret',
  'tonrpc_sécret',
])('what is no key is not sent, nor shown: %j', async (text) => {
  const url = await answering('{"webhooks":[]}')
  const file = await temporaryFolder()
  await writeFile(file, text)
  const err = `tonrpc: --key-file: the file ${file} must hold an API key and nothing else`
  expect(await run('list', '--key-file', file, '--url', url)).toEqual({ code: 1, out: [], err })
  // An empty one in the environment is none.
  const inEnv = await runIn({ TONRPC_KEY: text }, 'list', '--url', url)
  const refused = { code: 1, out: [], err: 'tonrpc: TONRPC_KEY must hold an API key and nothing else' }
  expect(inEnv).toEqual(text === '' ? { code: 0, out: [expect.stringContaining('No webhooks yet')], err: '' } : refused)
})

test('a line break behind a key is no part of it', async () => {
  const keys: unknown[] = []
  const url = await answering('{"webhooks":[]}', (_, key) => keys.push(key))
  const file = await temporaryFolder()
  await writeFile(file, 'of_a_file\r\n')
  expect((await run('list', '--key-file', file, '--url', url)).err).toBe('')
  expect((await runIn({ TONRPC_KEY: 'of_a_variable\n' }, 'list', '--url', url)).err).toBe('')
  expect(keys).toEqual(['of_a_file', 'of_a_variable'])
})

test('replay sends the block it begins with, and says what comes', async () => {
  const heard: string[] = []
  const url = await answering('{}', (body) => heard.push(body))
  const ended = await run('replay', '7', '--from', '120', '--url', url)
  expect(ended).toEqual({ code: 0, out: ['Webhook 7 posts again what is in block 120 and later ones.'], err: '' })
  expect(heard).toEqual(['{"from":120}'])
  const { code, err } = await run('replay', '7', '--url', url)
  expect([code, err]).toEqual([2, expect.stringContaining('needs --from')])
})
