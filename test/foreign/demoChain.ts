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
}

/** Ready when the demo is played and the index has all of it. */
export async function startDemoChain(...flags: readonly string[]): Promise<DemoChain> {
  const data = mkdtempSync(join(tmpdir(), 'tonrpc-foreign-'))
  const words = ['--port', '0', '--lite-port', '0', '--data', data, '--limits', 'off', ...flags]
  const service = run(process.execPath, [mainFile, ...words])
  const [, url = ''] = await service.says(/start page +(http:\/\/\S+?)\/\s/)
  await service.says(/demo played/)
  return {
    url,
    data,
    configPath: join(data, 'global.config.json'),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      rmSync(data, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
