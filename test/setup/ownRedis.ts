// A Redis or Valkey of a test, that can be killed, started again and held still.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './freePort.ts'

const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)
export const hasRedis = program !== undefined
if (!hasRedis) process.stdout.write('no redis-server and no valkey-server here: what needs one is not tried\n')

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

export interface OwnRedis extends AsyncDisposable {
  readonly port: number
  start(): Promise<void>
  /** Kills it; what it held is gone. */
  stop(): Promise<void>
  /** Accepts connections and answers nothing, until it goes on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
}

export async function ownRedis(...more: readonly string[]): Promise<OwnRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-redis-'))
  const port = await freePort()
  let server: ChildProcess | null = null
  const start = async (): Promise<void> => {
    const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...more]
    const started = spawn(program ?? '', options, { stdio: 'ignore' })
    server = started
    while (!(await listens(port))) {
      if (started.exitCode !== null) throw new Error(`${program} has ended: ${started.exitCode}`)
      await sleep(20)
    }
  }
  const stop = async (): Promise<void> => {
    const ended = server === null ? null : once(server, 'exit')
    server?.kill('SIGKILL')
    await ended
    server = null
  }
  await start()
  return {
    port,
    start,
    stop,
    signal: (name) => void server?.kill(name),
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
