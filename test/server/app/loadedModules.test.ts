// Modules are loaded at the start, before anybody waits: the first request of each kind loads none in the thread that answers.

import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startBuilt } from '../../setup/runningService.ts'

/** Writes the name of each module that the main thread loads to a file. */
const NOTE = `
import Module, { register } from 'node:module'
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
const { LOADED_FILE: file } = process.env
if (isMainThread) {
  const { _compile: compile } = Module.prototype
  Module.prototype._compile = function (...given) {
    appendFileSync(file, given[1] + '\\n')
    return compile.apply(this, given)
  }
  const hook = \`
    import { appendFileSync } from 'node:fs'
    let file
    export function initialize(data) { file = data }
    export function load(url, context, next) { appendFileSync(file, url + '\\\\n'); return next(url, context) }\`
  register('data:text/javascript,' + encodeURIComponent(hook), { data: file })
}`

const PATHS = [
  '/',
  '/status',
  '/console',
  '/lab',
  '/account/EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c',
  '/api/',
  '/api/v2/',
  '/api/v3/',
  '/docs/',
  '/docs/streams',
  '/docs/streams.md',
  '/nowhere',
  '/openapi/v2.json',
  '/openapi/v3.json',
  '/openrpc/methods.json',
  '/openrpc/method/getMasterchainInfo.json',
  '/metrics',
  '/readyz',
  '/healthz',
  '/global.config.json',
  '/favicon.ico',
  '/api/v2/getMasterchainInfo',
  '/api/v3/transactions?limit=10',
  '/api/v3/actions',
  '/api/v4/block/latest',
]

const CALLS: readonly (readonly [method: string, params: object])[] = [
  ['rpc.discover', {}],
  ['dev.faucet', { address: `0:${'12'.repeat(32)}`, amount: '1000000000' }],
  ['runGetMethod', { address: `-1:${'33'.repeat(32)}`, method: 'active_election_id', stack: [] }],
  ['v3.decode', { bodies: ['te6cckEBAQEAAgAAAEysuc0='] }],
  ['v3.search', { query: 'ton' }],
]

test('no first request loads a module', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-loaded-'))
  const file = join(folder, 'loaded')
  const env = { LOADED_FILE: file, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(NOTE)}` }
  const loaded = (): string[] => readFileSync(file, 'utf8').trim().split('\n')
  try {
    await using service = await startBuilt(['--data', join(folder, 'data'), '--seed', 'none'], { env })
    const atStart = loaded()
    expect(atStart.length).toBeGreaterThan(100)
    for (const path of PATHS) {
      const reply = await fetch(service.url + path, { headers: { accept: 'text/html,*/*' } })
      await reply.arrayBuffer()
      expect([path, reply.status < 500]).toEqual([path, true])
    }
    for (const [method, params] of CALLS) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'content-type': 'application/json' }
      await (await fetch(`${service.url}/jsonRPC`, { method: 'POST', headers, body })).arrayBuffer()
    }
    expect(loaded().slice(atStart.length)).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
