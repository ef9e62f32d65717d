// Rows read page by page: the first page follows the chain, older ones are added below it.

import { useState } from 'preact/hooks'
import type { Query } from '../../../shared/explorer/explorerQuery.ts'
import type { Api } from '../../index.ts'
import { learn } from '../accountNames.ts'
import { ask, wordsFor } from '../pageClient.ts'
import { type Reply, useReplies } from '../useReplies.ts'

export interface LoadedPages<R> {
  /** Null while the first page loads. */
  readonly rows: readonly R[] | null
  readonly error: string | null
  /** Null when there are no older rows. */
  readonly older: (() => void) | null
  readonly reload: () => void
}

interface Older<R> {
  readonly rows: readonly R[]
  readonly cursor: string | null
  readonly error: string | null
}

/** `key` identifies a row: a new block moves some from the first page to the second. */
export function usePages<M extends keyof Api & string, R>(
  query: (cursor?: string) => Query<M>,
  read: (reply: Reply<M>) => { readonly rows: readonly R[]; readonly cursor: string | null },
  key: (row: R) => string,
  stamp: string,
): LoadedPages<R> {
  const { data, error, reload } = useReplies([query()] as readonly [Query<M>], { stamp })
  const [older, setOlder] = useState<Older<R> | null>(null)
  const first = data === null ? null : read(data[0] as Reply<M>)
  const cursor = older === null ? (first?.cursor ?? null) : older.cursor
  const load = (from: string) => {
    ask(query(from)).then(
      (reply) => {
        learn(reply as Parameters<typeof learn>[0])
        const next = read(reply)
        // The first page may have moved on since: what was in it stays.
        setOlder({ rows: [...(older?.rows ?? first?.rows ?? []), ...next.rows], cursor: next.cursor, error: null })
      },
      (failure: unknown) => setOlder({ rows: older?.rows ?? [], cursor: from, error: wordsFor(failure) }),
    )
  }
  const known = new Map([...(older?.rows ?? []), ...(first?.rows ?? [])].map((row) => [key(row), row]))
  const ordered = first === null ? null : [...new Set([...first.rows, ...(older?.rows ?? [])].map(key))]
  return {
    rows: ordered?.map((id) => known.get(id)).filter((row) => row !== undefined) ?? null,
    error: older?.error ?? error,
    older: cursor === null ? null : () => load(cursor),
    reload,
  }
}
