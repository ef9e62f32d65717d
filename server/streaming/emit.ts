// Sends what one subject means to its subscribers: selected for each, written once for all that receive the same.

import { toBase64 } from '../../shared/base64.ts'
import { type Finality, isAtLeast, type LiveBooks } from '../methods/index.ts'
import type { NotificationType, Selection } from './notifications/notification.ts'
import type { StreamCounts } from './streamCounts.ts'
import type { Routes } from './streamRoutes.ts'
import type { Subscriber } from './subscriber.ts'

export interface EmitParts {
  readonly routes: Routes
  readonly books: LiveBooks
  readonly counts: StreamCounts
}

interface Group {
  readonly selection: Selection
  readonly members: Subscriber[]
}

/** What subscribers receive of a subject now, and by what they are grouped. */
function selectorOf<S>(type: NotificationType<S>, subject: S) {
  const finality = type.finality(subject)
  const select = type.selector(subject)
  return ({ subscription }: Subscriber) => {
    const { types, minFinality, addressBook, metadata } = subscription
    if (!types.has(type.name) || !isAtLeast(finality, minFinality)) return null
    const selection = select(subscription)
    if (selection === null) return null
    return { selection, addressBook, metadata, key: `${addressBook ? 'b' : ''}${metadata ? 'm' : ''}|${selection.key}` }
  }
}

/** A trace's hash, when the subject is one: connections remember those that are not final. */
const traceOf = (subject: unknown): string | null =>
  typeof subject === 'object' && subject !== null && 'hashNorm' in subject && subject.hashNorm instanceof Uint8Array
    ? toBase64(subject.hashNorm)
    : null

/** `cursor` is that of the notification when it is finalized. */
export async function emit<S>(
  parts: EmitParts,
  type: NotificationType<S>,
  subject: S,
  cursor: string | null,
): Promise<void> {
  const { routes, books, counts } = parts
  const finality = type.finality(subject)
  const groups = new Map<string, Group & { addressBook: boolean; metadata: boolean; versions: number[] }>()
  const audience = [...type.audience(subject, routes)]
  if (audience.length === 0) return
  const select = selectorOf(type, subject)
  for (const subscriber of audience) {
    const selected = select(subscriber)
    if (selected === null) continue
    const { key, ...rest } = selected
    const group = groups.get(key) ?? { ...rest, members: [], versions: [] }
    groups.set(key, group)
    group.members.push(subscriber)
    group.versions.push(subscriber.version)
  }
  const hash = traceOf(subject)
  const ended = { finality, cursor: finality === 'finalized' ? cursor : null }
  // Names are read for all groups at once, and only where they are wanted: else nothing here waits.
  const texts = [...groups].map(
    async ([key, group]) => [key, group, await write(books, type.name, group, ended)] as const,
  )
  for (const [key, { members, versions }, text] of await Promise.all(texts))
    members.forEach((subscriber, i) => {
      // Its subscription may have been changed while names were read.
      if (subscriber.version !== versions[i] && select(subscriber)?.key !== key) return
      if (subscriber.sink.isClosed) return
      if (hash !== null && finality === 'finalized') subscriber.forgetUnfinished(hash)
      else if (hash !== null) subscriber.noteUnfinished(hash)
      counts.sent(type.name, finality)
      subscriber.sink.send(text, ended.cursor)
    })
}

async function write(
  books: LiveBooks,
  name: string,
  { selection, addressBook, metadata }: { selection: Selection; addressBook: boolean; metadata: boolean },
  { finality, cursor }: { finality: Finality; cursor: string | null },
): Promise<string> {
  const { members, accounts } = selection.write()
  const [book, tokens] =
    accounts === null
      ? []
      : await Promise.all([
          addressBook ? books.addressBook(accounts) : undefined,
          metadata ? books.metadata(accounts) : undefined,
        ])
  return JSON.stringify({
    type: name,
    finality,
    ...members,
    ...(book === undefined ? {} : { address_book: book }),
    ...(tokens === undefined ? {} : { metadata: tokens }),
    ...(cursor === null ? {} : { cursor }),
  })
}
