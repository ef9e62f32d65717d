// The service that `turns` watches: as it ships, over PostgreSQL, with processes that answer callers, or over the lite server of
// another one. Each of its processes writes down its own turns.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import type { Watched } from './turnWatch.ts'

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
const folder = mkdtempSync(join(tmpdir(), 'tonrpc-bench-'))
const PREFIX = 'turns-'

interface Running {
  readonly child: ChildProcess
  readonly url: string
}

async function run(name: string, flags: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const own = ['--port', '0', '--data', join(folder, name), '--log-level', 'warn']
  const child = spawn(process.execPath, [process.env.MAIN ?? join(root, '.build/bin/main.js'), ...own, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  let text = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      text += chunk
      const found = /(http:\/\/127\.0\.0\.1:\d+)\/jsonRPC/.exec(text)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the service did not start: ${text}`)))
  })
  return { child, url }
}

async function end({ child }: Running): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

export interface WatchedService {
  readonly url: string
  /** The one with the chain; the same unless that is over a lite server. */
  readonly chainUrl: string
  /** Of the one with the url. */
  readonly pid: number
  /** What its processes noted; the first is the one with the chain. */
  stop(): Promise<readonly Watched[]>
}

export async function startWatched(): Promise<WatchedService> {
  const { DATABASE, WORKERS, LITE } = process.env
  const { code } = transformSync(readFileSync(fileURLToPath(new URL('./turnWatch.ts', import.meta.url)), 'utf8'), {
    loader: 'ts',
    format: 'esm',
  })
  const watch = join(folder, 'turnWatch.mjs')
  writeFileSync(watch, code)
  const far = LITE === undefined ? null : await run('far', ['--lite-port', '0', '--limits', 'off'])
  const ours = await run(
    'data',
    [
      '--limits',
      'off',
      '--webhook-private',
      '--sockets',
      '2000',
      '--connections',
      '5000',
      '--connections-per-address',
      '5000',
      ...(DATABASE === undefined ? [] : ['--database', DATABASE]),
      ...(WORKERS === undefined ? [] : ['--workers', WORKERS]),
      ...(far === null ? [] : ['--network', 'custom', '--liteservers', `${far.url}/global.config.json`]),
    ],
    { NODE_OPTIONS: `--import ${watch}`, TURNS_FILE: join(folder, PREFIX) },
  )
  return {
    url: ours.url,
    chainUrl: far?.url ?? ours.url,
    pid: ours.child.pid ?? 0,
    async stop() {
      await end(ours)
      if (far !== null) await end(far)
      const files = readdirSync(folder).filter((name) => name.startsWith(PREFIX))
      // The cast: the watch writes them.
      const all = files.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Watched)
      rmSync(folder, { recursive: true, force: true })
      return all
    },
  }
}
