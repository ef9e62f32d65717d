import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
const built = pathToFileURL(join(root, '.build/server/access/')).href

/** Runs a script in a process of its own; `built` in it is the address of the compiled room. */
export function startChild(script: string, args: readonly string[]): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const source = `const built = ${JSON.stringify(built)}\n${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, '--', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The exit code, null after a kill. */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const [code]: (number | null)[] = await once(child, 'exit')
  return code ?? null
}

/** Resolves when the child has said something. */
export const spoke = (child: { stdout: NodeJS.ReadableStream }): Promise<unknown> => once(child.stdout, 'data')
