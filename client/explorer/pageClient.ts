// Calls of the page. Those of one view go out as one request; what the service wrote into the page is not fetched again.

import { signal } from '@preact/signals'
import { type Query, queryKey } from '../../shared/explorer/explorerQuery.ts'
import { type Api, type Client, createClient } from '../index.ts'
import { transport } from './calling.ts'
import { boot } from './pageBoot.ts'

export const client: Client = createClient({ transport })

/** Calls a method by its name: `v3.jetton.wallets` is a path in the client, which makes a function of any path. */
export function callByName(name: string, params: unknown): unknown {
  const method: unknown = name.split('.').reduce((at, part) => Reflect.get(at, part), client)
  return typeof method === 'function' ? method(params) : undefined
}

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

/** Why a call failed, as a sentence for a person. */
export function wordsFor(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  // The client names the method and the address, which say nothing here.
  return text.replace(/^[\w.]+: | from http[^\s)]*?jsonRPC(?:: check url)?/g, '')
}
