// The public v2 server in Python over a lite server.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { installPip, type Tools } from '../../setup/foreignTools.ts'
import { freePort } from '../../setup/freePort.ts'
import { run } from '../../setup/runningService.ts'

const HOST = '127.0.0.1'
/** It answers a few seconds after its start; a busy machine takes longer. */
const MOST_TRIES = 240
const PAUSE_MS = 500

export const installTheirs = (): Promise<Tools> => installPip(['ton-http-api==2.0.68'])

export interface Theirs extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

export async function startTheirs({ folder }: Tools, configPath: string): Promise<Theirs> {
  const scratch = mkdtempSync(join(tmpdir(), 'tonrpc-http-api-'))
  const port = await freePort()
  const words = ['-m', 'uvicorn', 'pyTON.main:app', '--host', HOST, '--port', String(port)]
  const server = run('python3', words, {
    cwd: scratch,
    env: {
      PYTHONPATH: folder,
      TON_API_TONLIB_LITESERVER_CONFIG: configPath,
      TON_API_TONLIB_KEYSTORE: `${scratch}/`,
      TON_API_LOGS_LEVEL: 'ERROR',
      TON_API_CACHE_ENABLED: '0',
      // A busy machine takes longer than its ten seconds.
      TON_API_TONLIB_REQUEST_TIMEOUT: '300',
    },
  })
  const theirs: Theirs = {
    url: `http://${HOST}:${port}`,
    pid: server.child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const ready = await fetch(`${theirs.url}/getMasterchainInfo`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return theirs
    await delay(PAUSE_MS)
  }
  await theirs[Symbol.asyncDispose]()
  throw new Error(`it does not answer: ${server.stderr()}`)
}
