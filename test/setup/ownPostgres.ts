// A PostgreSQL of its own for tests that stop it, with a replica that can take over.

import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './freePort.ts'

const execute = promisify(execFile)

const isRoot = process.getuid?.() === 0
const asUser = ['-u', 'postgres', '--']

const bin = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() ?? ''

/** A server refuses to run as root: then there has to be a user for it. */
export const hasServer =
  bin !== '' &&
  spawnSync(join(bin, 'initdb'), ['--version']).status === 0 &&
  (!isRoot || spawnSync('runuser', [...asUser, 'true']).status === 0)

async function command(name: string, ...args: string[]): Promise<void> {
  const path = join(bin, name)
  if (isRoot) await execute('runuser', [...asUser, path, ...args], { cwd: '/' })
  else await execute(path, args)
}

const pooler = ['/usr/sbin/pgbouncer', 'pgbouncer'].find((path) => spawnSync(path, ['--version']).status === 0) ?? ''
export const hasPooler = hasServer && pooler !== ''

/** A PgBouncer in transaction mode in front of a server. */
export async function ownPooler(server: number) {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-pooler-'))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]\n* = host=127.0.0.1 port=${server} user=postgres\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=${port}\n` +
      'auth_type=any\npool_mode=transaction\nunix_socket_dir=\nignore_startup_parameters=extra_float_digits\n',
  )
  await chmod(folder, 0o755)
  const start = async () => {
    const [command = '', ...args] = isRoot ? ['runuser', ...asUser, pooler, file] : [pooler, file]
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' })
    for await (const chunk of child.stderr) if (String(chunk).includes('process up')) break
    return child
  }
  const ended = async (child: Awaited<ReturnType<typeof start>>) => {
    const gone = once(child, 'exit')
    // It ends at once, with all connections.
    if (child.kill('SIGTERM')) await gone
  }
  let running = await start()
  return {
    port,
    async restart() {
      await ended(running)
      running = await start()
    },
    async [Symbol.asyncDispose]() {
      await ended(running)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export interface OwnServer {
  readonly port: number
  stop(mode: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  promote(): Promise<void>
  query(text: string): Promise<void>
}

/** Seconds for a start, stop or promotion: a busy machine must not meet them. */
const PATIENCE_S = '300'

async function serverAt(folder: string): Promise<OwnServer> {
  const port = await freePort()
  const ctl = (...args: string[]) => command('pg_ctl', '-D', folder, '-w', '-t', PATIENCE_S, ...args)
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=50`
  return {
    port,
    stop: (mode) => ctl('stop', '-m', mode),
    start: () => ctl('start', '-l', join(folder, 'log'), '-o', settings),
    promote: () => ctl('promote'),
    async query(text) {
      const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
      client.on('error', () => undefined)
      await client.connect()
      await client.query(text).finally(() => client.end())
    },
  }
}

/** A disk of its own for a folder; null where this user may not mount one. */
async function smallDisk(folder: string, megabytes: number) {
  await mkdir(folder)
  const isMounted = await execute('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=777`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  )
  if (!isMounted) return null
  const filler = join(folder, 'filler')
  return {
    /** Leaves no room at all. */
    async fill() {
      const file = await open(filler, 'a')
      try {
        for (const size of [1 << 20, 1 << 12]) {
          const bytes = Buffer.alloc(size)
          for (let isFull = false; !isFull; )
            isFull = await file.appendFile(bytes).then(
              () => false,
              () => true,
            )
        }
      } finally {
        await file.close()
      }
    },
    free: () => rm(filler, { force: true }),
    unmount: () => execute('umount', ['--lazy', folder]),
  }
}

/** Enough for a cluster and what one test writes. */
const DISK_MB = 256

/** A primary and, on request its replica by streaming. */
export async function ownPostgres({ onSmallDisk = false } = {}) {
  const top = await mkdtemp(join(tmpdir(), 'tonrpc-pg-'))
  await chmod(top, 0o777)
  const mountPoint = join(top, 'disk')
  const disk = onSmallDisk && isRoot ? await smallDisk(mountPoint, DISK_MB) : null
  const running = new Set<OwnServer>()
  const track = async (folder: string): Promise<OwnServer> => {
    const server = await serverAt(folder)
    await server.start()
    running.add(server)
    return server
  }
  const folder = join(disk === null ? top : mountPoint, 'primary')
  await command('initdb', '-D', folder, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8')
  const primary = await track(folder)
  return {
    primary,
    disk,
    async replica(): Promise<OwnServer> {
      const copy = join(top, 'replica')
      const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres']
      await command('pg_basebackup', ...from, '-D', copy, '-R', '-X', 'stream', '--no-sync', '-c', 'fast')
      return await track(copy)
    },
    async [Symbol.asyncDispose]() {
      for (const server of running) await server.stop('immediate').catch(() => undefined)
      await disk?.unmount().catch(() => undefined)
      await rm(top, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
