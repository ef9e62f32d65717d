// The demo chain with its lite server, as a user starts it: the built command line in a process of its own.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mainFile, run } from '../setup/runningService.ts'

export interface DemoChain extends AsyncDisposable {
  readonly url: string
  /** The configuration clients of lite servers start from. */
  readonly configPath: string
  readonly data: string
  readonly pid: number
}

interface Starting {
  readonly flags: readonly string[]
  /** What it writes once it is ready. */
  readonly ready: RegExp
}

async function start({ flags, ready }: Starting): Promise<DemoChain> {
  const data = mkdtempSync(join(tmpdir(), 'tonrpc-foreign-'))
  const words = ['--port', '0', '--lite-port', '0', '--data', data, '--limits', 'off', ...flags]
  const service = run(process.execPath, [mainFile, ...words])
  const [, url = ''] = await service.says(/start page +(http:\/\/\S+?)\/\s/)
  await service.says(ready)
  return {
    url,
    data,
    pid: service.child.pid ?? 0,
    configPath: join(data, 'global.config.json'),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      rmSync(data, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Ready when the demo is played. */
export const startDemoChain = (...flags: readonly string[]): Promise<DemoChain> =>
  start({ flags, ready: /demo played/ })

/** A service that reads the chain of another over its lite server, verifies it, and is a lite server itself. */
export const startProxy = ({ configPath }: DemoChain, ...flags: readonly string[]): Promise<DemoChain> =>
  start({ flags: ['--network', 'custom', '--liteservers', configPath, ...flags], ready: /serves custom, ready/ })
