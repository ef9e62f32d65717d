// The built command with its arguments, and calls of a service whose results are wanted.

import { mainFile, run } from './runningService.ts'

export const tonrpc = (...args: string[]) => run(process.execPath, [mainFile, ...args])

export async function ended(...args: string[]) {
  await using command = tonrpc(...args)
  const { code } = await command.ended
  return { code, out: command.stdout(), err: command.stderr() }
}

/** The result of a call; throws for an error. */
export async function call<T>(url: string, method: string, params: unknown): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'Content-Type': 'application/json' }
  const reply = await (await fetch(`${url}/jsonRPC`, { method: 'POST', headers, body })).json()
  const { result, error } = reply as { result?: T; error?: unknown }
  if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result
}
