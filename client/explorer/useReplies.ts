// The results a view needs, as one request, and again when the chain has a new block.

import { useEffect, useRef, useState } from 'preact/hooks'
import { type Query, queryKey } from '../../shared/explorer/explorerQuery.ts'
import type { Api } from '../index.ts'
import { learn } from './accountNames.ts'
import { connected, tick } from './live.ts'
import { ask, known, reverts, wordsFor } from './pageClient.ts'

export type Reply<M extends keyof Api> = Api[M]['result']

/** Results in the order of their queries. */
export type Replies<Q extends readonly Query[]> = {
  readonly [I in keyof Q]: Q[I] extends Query<infer M> ? Reply<M> : never
}

export interface Loaded<T> {
  /** The newest results; those of an earlier block while newer ones are being fetched. */
  readonly data: T | null
  /** Why there are none. */
  readonly error: string | null
  readonly reload: () => void
}

interface Held<T> {
  readonly key: string
  readonly data: T | null
  readonly error: string | null
}

/** The cast: `map` and `Promise.all` keep the order of the queries, but not in their types. */
const inOrder = <Q extends readonly Query[]>(results: unknown): Replies<Q> => results as Replies<Q>

const knownReplies = <Q extends readonly Query[]>(queries: Q): Replies<Q> | null => {
  const found = queries.map((query) => known(query))
  return found.includes(undefined) ? null : inOrder(found)
}

export interface ReplyOptions<Q extends readonly Query[] = readonly Query[]> {
  /** Read again with every block; otherwise after a revert of the chain alone. */
  readonly live?: boolean
  /** Read again when this changes, such as the newest transaction of an account. */
  readonly stamp?: string
  /** The stamp that results have themselves: those that have it are not read again for it. */
  readonly stampOf?: ((replies: Replies<Q>) => string | undefined) | undefined
}

/** Calls the queries of a view. Equal queries are one view; other ones start from nothing. */
export function useReplies<const Q extends readonly Query[]>(
  queries: Q,
  { live = false, stamp = '', stampOf }: ReplyOptions<Q> = {},
): Loaded<Replies<Q>> {
  const key = queries.map(queryKey).join('\n')
  const [held, setHeld] = useState<Held<Replies<Q>>>(() => ({ key, data: knownReplies(queries), error: null }))
  const [round, setRound] = useState(0)
  const reload = (): void => setRound((count) => count + 1)
  const newest = useRef(0)
  /** The key that is being read, and whether its results have changed since. */
  const reading = useRef({ key: '', again: false })
  const moment = live ? tick.value : reverts.value
  /** What results are read for, besides the stamp; and the stamp they are to have. */
  const cause = `${round} ${moment} ${key}`
  const due = useRef({ cause: '', stamp })
  useEffect(() => {
    if (queries.length === 0) return
    const isForStamp = due.current.cause === cause
    due.current = { cause, stamp }
    if (reading.current.key === key) {
      if (!isForStamp) reading.current.again = true
      return
    }
    if (isForStamp && held.key === key && held.data !== null && stampOf?.(held.data) === stamp) return
    reading.current = { key, again: false }
    newest.current++
    const mine = newest.current
    const settle = (next: Pick<Held<Replies<Q>>, 'error'> & { data?: Replies<Q> }) => {
      if (mine !== newest.current) return
      const isOld =
        due.current.stamp !== stamp && (next.data === undefined || stampOf?.(next.data) !== due.current.stamp)
      if (reading.current.again || isOld) reload()
      reading.current = { key: '', again: false }
      setHeld((before) => ({ key, data: before.key === key ? before.data : null, ...next }))
    }
    Promise.all(queries.map((query) => ask(query))).then(
      (replies) => {
        for (const reply of replies) learn(reply)
        settle({ data: inOrder(replies), error: null })
      },
      (error: unknown) => settle({ error: wordsFor(error) }),
    )
  }, [key, round, moment, stamp])
  const isConnected = connected.value
  useEffect(() => {
    if (isConnected && held.error !== null) reload()
  }, [isConnected])
  const current = held.key === key ? held : { data: knownReplies(queries), error: null }
  return { ...current, reload }
}
