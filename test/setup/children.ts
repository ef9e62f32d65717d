// Processes to be killed: scripts that run the compiled rooms, and folders that outlive them.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
const built = pathToFileURL(join(root, '.build/server/')).href

export type Child = ChildProcess & { stdout: NodeJS.ReadableStream }

/** Runs a script in a process of its own; `built` in it is the address of the compiled server. A launcher is a command before it. */
export function startChild(script: string, args: readonly string[], launcher: readonly string[] = []): Child {
  const source = `const built = ${JSON.stringify(built)}\n${script}`
  const [program = '', ...given] = [...launcher, process.execPath, '--input-type=module', '-e', source, '--', ...args]
  const child = spawn(program, given, {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Until it has ended it may write to a folder that is being removed.
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.pid !== undefined) await exitOf(child)
  })
  return child
}

/** The exit code, null after a kill. */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const [code]: (number | null)[] = await once(child, 'exit')
  return code ?? null
}

/** A folder that does not exist yet, inside one that goes away with the test. */
export async function temporaryFolder(): Promise<string> {
  const outer = await mkdtemp(join(tmpdir(), 'tonrpc-'))
  onTestFinished(() => rm(outer, { recursive: true, force: true }))
  return join(outer, 'data')
}

/**
 * Resolves with what the child says next; rejects when it ends without. What it says while nothing listens is lost: call this
 * before the action that makes it speak.
 */
export async function spoke(child: Child): Promise<string> {
  const closed = once(child, 'close').then(([code]) => {
    throw new Error(`the process has ended without a word: ${code}`)
  })
  return String(await Promise.race([once(child.stdout, 'data'), closed]))
}
