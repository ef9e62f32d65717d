// Calls of the page. Those of one view go out as one request; what the service wrote into the page is not fetched again.

import { signal } from '@preact/signals'
import { type Query, queryKey } from '../../shared/explorer/explorerQuery.ts'
import type { Api, Client } from '../index.ts'
import { foreignText } from './accountNames.ts'
import { findHost, leaveOnce } from './laterScript.ts'
import { boot } from './pageBoot.ts'

const fetchLink = () => import('./serviceLink.ts')
let loading: ReturnType<typeof fetchLink> | undefined

/** Tried again by the next call. */
async function explained(): Promise<never> {
  loading = undefined
  // A browser may keep that a script failed: only a new page gets it.
  if ((await findHost()) !== 'away') leaveOnce()
  throw new Error('The service does not answer.')
}

export function loadLink(): ReturnType<typeof fetchLink> {
  loading ??= fetchLink().catch(explained)
  return loading
}

/** Calls a method by its name. */
export const callByName = async (name: string, params: unknown): Promise<unknown> =>
  (await loadLink()).call(name, params)

/** Any path of names is a method. */
const pathTo = (name: string): object =>
  new Proxy(() => undefined, {
    get: (_, key) => pathTo(name === '' ? String(key) : `${name}.${String(key)}`),
    apply: (_, _this, [params]) => callByName(name, params),
  })

/** The cast: the names are those of the methods, as in the client that is loaded with the first call. */
export const client = pathTo('') as Client

const written = new Map(Object.entries(boot.replies))

const MOST_KEPT = 60
const kept = new Map<string, unknown>()

function keep(key: string, result: unknown): void {
  kept.delete(key)
  kept.set(key, result)
  const oldest = kept.size > MOST_KEPT ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
}

/** The cast: a result is kept under the key of its query, which begins with the method. */
const resultOf = <R>(result: unknown): R => result as R

/** The result that came with the page, or the last one of an equal query; shown while a newer one loads. */
export function known<M extends keyof Api>(query: Query<M>): Api[M]['result'] | undefined {
  const key = queryKey(query)
  return resultOf(kept.get(key) ?? written.get(key))
}

/** The result of a query: the first time the one the page came with, if it did. */
export async function ask<M extends keyof Api>(query: Query<M>): Promise<Api[M]['result']> {
  const key = queryKey(query)
  const first = written.get(key)
  written.delete(key)
  const result = first ?? (await callByName(query.method, query.params))
  keep(key, result)
  return resultOf(result)
}

/** How often the chain was reverted since the page came. */
export const reverts = signal(0)

/** After a revert of the chain nothing is as it was. */
export function forgetReplies(): void {
  reverts.value++
  written.clear()
  kept.clear()
}

const LONGEST_WORDS = 1_000

/** Why a call failed, as a sentence for a person: contracts and proxies write parts of it. */
export function wordsFor(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // The client names the method and the address, which say nothing here.
  return foreignText(
    text.slice(0, LONGEST_WORDS * 2).replace(/^[\w.]+: | from http[^\s)]*?jsonRPC(?:: check url)?/g, ''),
    LONGEST_WORDS,
  )
}
