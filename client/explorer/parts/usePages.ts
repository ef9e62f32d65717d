// Rows read page by page: the first page follows the chain, older ones are added below it.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Query, queryKey } from '../../../shared/explorer/explorerQuery.ts'
import type { Api } from '../../index.ts'
import { learn } from '../accountNames.ts'
import { connected, tick } from '../live.ts'
import { ask, reverts, wordsFor } from '../pageClient.ts'
import { place } from '../router.ts'
import { type Reply, useReplies } from '../useReplies.ts'
import {
  firstRows,
  type LoadedRows,
  longer,
  type RowParts,
  type RowsPage,
  withFirstPage,
  withNextPage,
} from './loadedRows.ts'

export interface LoadedPages<R> extends RowParts<R> {
  /** How many rows there are; null while the first page loads. */
  readonly count: number | null
  readonly error: string | null
  /** Null when there are no older rows. */
  readonly older: (() => void) | null
  readonly isLoading: boolean
  /** Whether older rows were asked for, now or before a step away and back. */
  readonly isExtended: boolean
  /** Begins again with the newest rows; null unless some above the list are not in it. */
  readonly renew: (() => void) | null
  readonly reload: () => void
}

/** What a list is drawn from; it outlives the draws. */
interface Held<R> {
  list: LoadedRows<R> | null
  /** The reply that is in the list, or waits above it. */
  reply: unknown
  above: RowsPage<R> | null
  isLoading: boolean
  isExtended: boolean
  error: string | null
  /** Rows may follow the last one later. */
  grows: boolean
  /** The cursor the last page was read with; null for the first one. */
  from: string | null
  /** The link that had the focus when the list changed. */
  focused: string | null
  /** Of the chain, when the list began. */
  reverts: number
}

const NOTHING = {
  list: null,
  reply: null,
  above: null,
  isLoading: false,
  isExtended: false,
  error: null,
  grows: false,
  from: null,
  focused: null,
}

/** The link of a row that has the focus, which rows do not leave the list under; null for none. */
const focusedLink = (): string | null => document.activeElement?.closest('li a, tr a')?.getAttribute('href') ?? null

/** Rows that move from one part of the list to another are drawn anew: the focus goes with them. */
function focusAgain(link: string | null): void {
  if (link === null || document.activeElement !== document.body) return
  document.querySelector<HTMLElement>(`#main a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true })
}

function useFocusAgain(held: Pick<Held<unknown>, 'focused'>): void {
  useLayoutEffect(() => {
    focusAgain(held.focused)
    held.focused = null
  })
}

/** What failed is tried again when the service answers again. */
function useWhenBack(again: (() => void) | null): void {
  const isConnected = connected.value
  useEffect(() => {
    if (isConnected) again?.()
  }, [isConnected])
}

/** A first page that could not be read is read again after one block, then after two, four and so on: some errors stay. */
function useLater(hasFailed: boolean, again: () => void): void {
  const waits = useRef({ blocks: 1, left: 2 })
  const moment = hasFailed ? tick.value : null
  useEffect(() => {
    if (moment === null) waits.current = { blocks: 1, left: 2 }
    else if (--waits.current.left === 0) {
      const blocks = 2 * waits.current.blocks
      waits.current = { blocks, left: blocks }
      again()
    }
  }, [moment])
}

const MOST_SEEN = 10

/** Lists by the step of the history they were seen in, whose rows are all there again after Back. */
const seen = new Map<string, object>()

function keepSeen(key: string, held: object): void {
  seen.delete(key)
  seen.set(key, held)
  const [oldest] = seen.size > MOST_SEEN ? seen.keys() : []
  if (oldest !== undefined) seen.delete(oldest)
}

/**
 * `keyOf` identifies a row: a new block moves some from the first page to the second. `stampOf` is the stamp that rows have
 * themselves.
 */
export function usePages<M extends keyof Api & string, R>(
  query: (cursor?: string) => Query<M>,
  read: (reply: Reply<M>) => RowsPage<R>,
  keyOf: (row: R) => string,
  stamp: string,
  stampOf?: (rows: readonly R[]) => string | undefined,
): LoadedPages<R> {
  const queries: readonly [Query<M>] = [query()]
  // The cast: the compiler does not resolve `Replies` for a method that is not known yet.
  const pageOf = ([reply]: readonly [unknown]) => read(reply as Reply<M>)
  const { data, error, reload } = useReplies(queries, {
    stamp,
    stampOf: stampOf && ((replies) => stampOf(pageOf(replies).rows)),
  })
  useLater(error !== null, reload)
  const begin: Held<R> = { ...NOTHING, reverts: reverts.value }
  const key = `${place.peek().step} ${queryKey(queries[0])}`
  const [held] = useState(() => Object.assign({ ...begin }, seen.get(key), { isLoading: false, error: null }))
  keepSeen(key, held)
  // Rows of a reverted chain may never have been.
  if (held.reverts !== reverts.value) Object.assign(held, begin)
  const [, draw] = useState(0)
  const change = (changes: Partial<Held<R>>) => {
    Object.assign(held, changes)
    draw((count) => count + 1)
  }
  if (data !== null && data[0] !== held.reply) {
    held.reply = data[0]
    const page = pageOf(data)
    held.focused = focusedLink()
    const list = held.list && held.focused !== null ? longer(held.list) : held.list
    const next = list === null ? firstRows(page) : withFirstPage(list, page, keyOf)
    held.above = next === null ? page : null
    held.list = next ?? list
    held.grows = page.grows ?? false
  }
  useFocusAgain(held)
  const { list, above } = held
  const load = (from: string) => {
    if (list === null || held.isLoading) return
    change({ list: longer(list), isLoading: true, isExtended: true, error: null })
    ask(query(from)).then(
      (reply) => {
        learn(reply)
        // It began again meanwhile: what was read does not follow it.
        const follows = held.list?.isLong ? withNextPage(held.list, read(reply), keyOf) : held.list
        change({ list: follows, from, isLoading: false })
      },
      (failure: unknown) => change({ error: wordsFor(failure), isLoading: false }),
    )
  }
  const cursor = list?.cursor ?? null
  // With a newer first page the last one, too, is read again. A list that began again has no other page.
  const end = list?.parts[0] && cursor === null && held.grows && held.from
  const failed = cursor ?? end
  const again = held.error === null || !failed ? null : () => load(failed)
  useWhenBack(again)
  useEffect(() => {
    if (end) load(end)
  }, [held.reply])
  const parts = list === null ? [] : [list.first, ...list.parts]
  return {
    parts,
    keyOf,
    count: list === null ? null : parts.reduce((sum, { length }) => sum + length, 0),
    error: held.error ?? error,
    older: cursor === null ? null : () => load(cursor),
    isLoading: held.isLoading,
    isExtended: held.isExtended,
    renew: above === null ? null : () => change({ list: firstRows(above), above: null }),
    reload: again ?? reload,
  }
}
