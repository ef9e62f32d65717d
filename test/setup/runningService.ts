// The service as a user starts it: the built command line in a process of its own.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
export const mainFile = join(root, '.build/bin/main.js')

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Running extends AsyncDisposable {
  readonly child: ChildProcess
  /** What it has written so far. */
  stdout(): string
  stderr(): string
  /** Resolves with the first match in what it writes; throws when it ends without, or is silent about it for minutes. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves when it has ended and everything it wrote was read. */
  readonly ended: Promise<Ended>
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** What the test runner and an npm around it leave behind, and settings of ours that a developer may have exported. */
const NOT_OURS = /^(TONRPC_|OTEL_|VITEST|NODE_ENV$|npm_(?!config_)|npm_config_local_prefix$)/

function cleanEnv(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const foreign = Object.entries(process.env).filter(([name]) => !NOT_OURS.test(name))
  return { ...Object.fromEntries(foreign), ...extra }
}

/** Less than a test has: what never comes is named by the wait for it. */
const MOST_SILENT_MS = 400_000

const isWindows = process.platform === 'win32'

/** Ends a child with all it started: npm and npx stand in front of what they run. */
function killAll(child: ChildProcess): void {
  try {
    if (isWindows || child.pid === undefined) child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

/** Starts a command, with no input and in a process group of its own, and keeps what it writes. */
export function run(command: string, args: readonly string[], { cwd, env }: RunOptions = {}): Running {
  const child = spawn(command, args, {
    cwd,
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    // There, npm is a script that only a shell can start.
    shell: isWindows && command !== process.execPath,
  })
  const said = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
      for (const listener of listeners) listener()
    })
  }
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }))
  return {
    child,
    ended,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const fail = (what: string) => reject(new Error(`${what} ${pattern}:\n${said.stdout}\n${said.stderr}`))
        const patience = setTimeout(() => fail('did not say'), MOST_SILENT_MS)
        const look = () => {
          const found = pattern.exec(said.stdout) ?? pattern.exec(said.stderr)
          if (!found) return
          clearTimeout(patience)
          listeners.delete(look)
          resolve(found)
        }
        listeners.add(look)
        look()
        ended.then(() => {
          clearTimeout(patience)
          fail('ended without saying')
        }, reject)
      }),
    async [Symbol.asyncDispose]() {
      killAll(child)
      // What could not be started has nothing to end.
      await ended.catch(() => undefined)
    },
  }
}

export interface RunningService extends Running {
  readonly url: string
}

/** So long may anything take: a busy machine must not meet the bounds of the service in a test that is not of them. */
const PATIENT = { TONRPC_CALL_MS: '120000', TONRPC_RUN_MS: '60000', TONRPC_STATEMENT_MS: '120000' }
/** The bounds that it has by default. */
export const HASTY = ['--call-ms', '10000', '--run-ms', '2000', '--statement-ms', '3000']

/** The built service, listening. A free port and an empty chain unless `args` or the environment say otherwise. */
export async function startBuilt(args: readonly string[], options: RunOptions = {}): Promise<RunningService> {
  const env = { ...PATIENT, ...options.env }
  const running = run(process.execPath, [mainFile, '--port', '0', '--seed', 'none', ...args], { ...options, env })
  const [, url = ''] = await running.says(/health +(http\S+)\/healthz/)
  await running.says(/new API key .*\n/)
  return { ...running, url }
}

/** Flags of a process that reads a whole chain from the lite server of another one, with the index in a database. */
export const readerFlags = (
  { url }: Pick<RunningService, 'url'>,
  { role, database }: { readonly role: string; readonly database: string },
): string[] => {
  const network = ['--network', 'custom', '--liteservers', `${url}/global.config.json`, '--index-from', '1']
  return ['--role', role, '--database', database, ...network]
}
