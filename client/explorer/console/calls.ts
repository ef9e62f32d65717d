// Calls a person makes by hand: how they are sent, what came of them, and the last ones.

import { effect, signal } from '@preact/signals'
import { isObject } from '../../../shared/isObject.ts'
import { keepText, keptOr } from '../keptText.ts'
import { callByName, wordsFor } from '../pageClient.ts'
import { fieldTextOf } from './consoleForm.ts'

export interface ConsoleCall {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface ConsoleReply {
  readonly call: ConsoleCall
  readonly ms: number
  readonly result?: unknown
  /** The result as JSON, empty for an error. */
  readonly text: string
  readonly error?: string
}

/** The address of a call: it can be sent to others. */
export function callPath(method: string, params: Readonly<Record<string, unknown>> = {}): string {
  const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, fieldTextOf(value)]))
  return `/console/${method}${query.size === 0 ? '' : `?${query}`}`
}

export async function sendConsoleCall(call: ConsoleCall): Promise<ConsoleReply> {
  const begun = performance.now()
  const ms = (): number => Math.round(performance.now() - begun)
  try {
    const result = await callByName(call.method, call.params)
    return { call, result, ms: ms(), text: JSON.stringify(result) ?? 'null' }
  } catch (error) {
    return { call, error: wordsFor(error), ms: ms(), text: '' }
  }
}

/** What is stored may be of another version, or damaged. */
const isCall = (one: unknown): one is ConsoleCall =>
  isObject(one) && typeof one.method === 'string' && isObject(one.params)

/** Calls that are sent together. */
export const tray = signal<readonly ConsoleCall[]>(keptOr<readonly unknown[]>('batch', []).filter(isCall))
effect(() => keepText('batch', tray.value))

const HISTORY = 'console-history'
const MOST = 50

/** Null where a browser refuses storage; the history then lasts as long as the page. */
function storedCalls(): readonly ConsoleCall[] | null {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(HISTORY) ?? '[]')
    return Array.isArray(found) ? found.filter(isCall) : []
  } catch {
    return null
  }
}

export const history = signal<readonly ConsoleCall[]>(storedCalls() ?? [])

export function keep(call: ConsoleCall): void {
  const key = JSON.stringify(call)
  // Another tab may have added to them.
  const others = storedCalls() ?? history.value
  history.value = [call, ...others.filter((one) => JSON.stringify(one) !== key)].slice(0, MOST)
  try {
    localStorage.setItem(HISTORY, JSON.stringify(history.value))
  } catch {
    // As above.
  }
}
