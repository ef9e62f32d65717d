// Where Node sends fetches through a proxy of the environment.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { reachOwnMachine } from '../../../server/cli/ownMachine.ts'
import { mainFile, run } from '../../setup/runningService.ts'

function reaching(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  reachOwnMachine(env)
  return env
}

test('names of this machine are added to those that are reached without the proxy', () => {
  const own = 'localhost,127.0.0.1,[::1]'
  expect(reaching({})).toEqual({ NO_PROXY: own })
  expect(reaching({ NO_PROXY: '*.example.com, 10.0.0.5:8081' })).toEqual({
    NO_PROXY: `*.example.com, 10.0.0.5:8081,${own}`,
  })
  expect(reaching({ NO_PROXY: 'a.example', no_proxy: '' })).toEqual({ NO_PROXY: 'a.example', no_proxy: own })
  expect(reaching({ no_proxy: '*' })).toEqual({ no_proxy: '*' })
})

async function listen(body: string): Promise<string> {
  const server = createServer((_, reply) => reply.end(body)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

// Older versions of Node use no proxy.
test.skipIf(Number(process.versions.node.split('.')[0]) < 24)('a command finds a service here', async () => {
  const service = await listen(JSON.stringify({ webhooks: [] }))
  const proxy = await listen('an error of the proxy')
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy, NO_PROXY: '' }
  await using command = run(process.execPath, [mainFile, 'webhooks', 'list', '--url', service], { env })
  const { code } = await command.ended
  expect([code, command.stderr()]).toEqual([0, ''])
})
