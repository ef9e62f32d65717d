// Sends what one subject means to its subscribers: selected for each, written once for all that receive the same.

import { toBase64 } from '../../shared/base64.ts'
import { inPieces } from '../fairness/index.ts'
import { type Finality, isAtLeast, type LiveBooks } from '../methods/index.ts'
import type { AccountKey } from '../store/index.ts'
import { JsonText, textOfMembers } from './jsonText.ts'
import type { NotificationContent, NotificationType, Selector } from './notifications/notification.ts'
import type { Rests } from './reportPace.ts'
import type { SharedTexts } from './sharedTexts.ts'
import type { StreamCounts } from './streamCounts.ts'
import { type Audience, atOnce, type Routes, routesToOne } from './streamRoutes.ts'
import type { Subscription } from './streamSubscription.ts'
import type { Sink, Subscriber } from './subscriber.ts'
import { VersionsBefore } from './versionsBefore.ts'

export interface EmitParts {
  readonly routes: Routes
  readonly books: LiveBooks
  readonly counts: StreamCounts
  readonly texts: SharedTexts
  readonly pace: Rests
}

/** Readers that are written to between two looks at the clock. */
const FEW_READERS = 16
/**
 * Characters above which a notification is put together and sent in turns of its own, and readers get time to take it: the next one
 * would find it unread, however fast they read.
 */
const LARGE_TEXT = 1 << 18
/** Groups whose notifications are in memory at once. */
const FEW_GROUPS = 32
/** Characters of notifications that are in memory at once, but for the last of them: one of a trace may have tens of millions. */
const MOST_TEXT = 8 << 20

/** Subscribers that receive the same. */
interface Group {
  readonly key: string
  /** Of the first of them, and the parts it named. */
  readonly subscription: Subscription
  readonly parts: readonly number[]
  readonly members: Subscriber[]
  readonly versions: number[]
}

/** What a subscriber receives of a subject now, as the name of its group; null for nothing. */
function keyFor<S>(
  { name }: NotificationType<S>,
  { finality, selector }: { readonly finality: Finality; readonly selector: Selector },
): (subscription: Subscription, parts: readonly number[]) => string | null {
  return (subscription, parts) => {
    const { types, minFinality, addressBook, metadata } = subscription
    if (!types.has(name) || !isAtLeast(finality, minFinality)) return null
    const key = selector.key(subscription, parts)
    return key === null || !(addressBook || metadata) ? key : `${addressBook ? 'b' : ''}${metadata ? 'm' : ''}|${key}`
  }
}

/** A trace's hash, when the subject is a trace: connections keep those that are not final. */
const traceOf = (subject: unknown): string | null =>
  typeof subject === 'object' && subject !== null && 'hashNorm' in subject && subject.hashNorm instanceof Uint8Array
    ? toBase64(subject.hashNorm)
    : null

type KeyOf = ReturnType<typeof keyFor>

/**
 * The subscribers of an audience that receive something, by what that is: looked at one by one, as each may wish for other ones of
 * thousands of actions.
 */
function* grouping(audience: Audience, keyOf: KeyOf, versions: VersionsBefore): Generator<void, readonly Group[]> {
  const groups = new Map<string, Group>()
  let count = 0
  for (const [subscriber, named] of audience) {
    if (count++ > 0) yield
    const { subscription } = subscriber
    const version = versions.of(subscriber)
    const key = keyOf(subscription, named)
    if (key === null) continue
    const group = groups.get(key)
    if (group === undefined)
      groups.set(key, { key, subscription, parts: named, members: [subscriber], versions: [version] })
    else {
      group.members.push(subscriber)
      group.versions.push(version)
    }
  }
  return [...groups.values()]
}

/** Whether the subscriber, whose subscription may have changed, still receives what its group does. */
function isOf<S>(type: NotificationType<S>, subject: S, keyOf: KeyOf, { key }: Group, subscriber: Subscriber): boolean {
  if (!subscriber.subscription.types.has(type.name)) return false
  const found = type.audience(subject, routesToOne(subscriber))
  const named = ('next' in found ? atOnce(found) : found).get(subscriber)
  return named !== undefined && keyOf(subscriber.subscription, named) === key
}

/** That a trace was reported, which may still turn out not to happen. */
function noteReported(
  subscriber: Subscriber,
  hash: string,
  { name, finality }: { readonly name: string; readonly finality: Finality },
): void {
  if (finality === 'finalized') subscriber.forgetUnfinished(hash)
  else subscriber.noteUnfinished(hash)
  if (name === 'trace') subscriber.noteHeard(hash)
}

/** After so many tries a reader whose subscription changes each time is closed, and resumes: all others wait for it. */
const MOST_TRIES = 4

/** `cursorOf` makes the cursor of the notification, which is sent when it is finalized. */
export async function emit<S>(
  parts: EmitParts,
  type: NotificationType<S>,
  subject: S,
  cursorOf: () => string | null,
): Promise<void> {
  let left: ReadonlySet<Subscriber> | null = null
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    left = await emitTo(left, parts, type, subject, cursorOf)
    if (left.size === 0) return
  }
  for (const { sink } of left ?? []) sink.fail()
}

const NONE_LEFT: ReadonlySet<Subscriber> = new Set()

/** To all, or to some of them. Returns those who wait for something else by now, as their subscription has changed meanwhile. */
async function emitTo<S>(
  only: ReadonlySet<Subscriber> | null,
  { routes, books, counts, texts: shared, pace }: EmitParts,
  type: NotificationType<S>,
  subject: S,
  cursorOf: () => string | null,
): Promise<ReadonlySet<Subscriber>> {
  if (routes.ofType(type.name).size === 0) return NONE_LEFT
  const versions = new VersionsBefore(routes, type.name)
  const found = type.audience(subject, routes)
  const all = 'next' in found ? await versions.note(fitting(found, pace)) : found
  const audience = only === null ? all : new Map([...all].filter(([one]) => only.has(one)))
  if (audience.size === 0) return NONE_LEFT
  const finality = type.finality(subject)
  const selector = type.selector(subject, shared)
  const keyOf = keyFor(type, { finality, selector })
  const grouped = versions.note(fitting(grouping(audience, keyOf, versions), pace))
  const groups = grouped instanceof Promise ? await grouped : grouped
  if (groups.length === 0) return NONE_LEFT
  const hash = traceOf(subject)
  const ended = { finality, cursor: finality === 'finalized' ? cursorOf() : null }
  const taking: Sink[] = []
  const changed = new Set<Subscriber>()
  const send = async (group: Group, text: string): Promise<void> => {
    let count = 0
    if (text.length > LARGE_TEXT) await pace.rest()
    for (const [i, subscriber] of group.members.entries()) {
      if (i % FEW_READERS === FEW_READERS - 1 && pace.isDue) await pace.rest()
      // Its subscription may have been changed while names were read, or others were written to.
      const isChanged = subscriber.version !== group.versions[i] && !isOf(type, subject, keyOf, group, subscriber)
      if (isChanged) changed.add(subscriber)
      if (isChanged || subscriber.sink.isClosed) continue
      if (hash !== null) noteReported(subscriber, hash, { name: type.name, finality })
      subscriber.sink.send(text, ended.cursor)
      if (text.length > LARGE_TEXT) taking.push(subscriber.sink)
      count++
    }
    counts.sent(type.name, finality, count)
  }
  for (let at = 0; at < groups.length; ) {
    const some: Group[] = []
    const texts: (string | Promise<string>)[] = []
    let left = MOST_TEXT
    for (const group of groups.slice(at, at + FEW_GROUPS)) {
      if (left <= 0) break
      if (at + texts.length > 0 && pace.isDue) await pace.rest()
      const made = contentFor(group, selector, pace)
      const content = made instanceof Promise ? await made : made
      const length = lengthOf(content)
      left -= length
      if (length > LARGE_TEXT) await pace.rest()
      const text = textFor(group, content, { books, name: type.name, ended })
      some.push(group)
      // Awaited below, where a failure counts.
      if (typeof text !== 'string') text.catch(() => undefined)
      texts.push(text)
    }
    // Names are read for some groups at once, and only where they are wanted: else nothing here waits.
    const written = texts.every((text) => typeof text === 'string') ? texts : await Promise.all(texts)
    for (const [i, group] of some.entries()) await send(group, written[i] ?? '')
    if (taking.length > 0) await pace.taken?.(taking.splice(0))
    at += some.length
  }
  return changed
}

function contentFor(
  { subscription, parts }: Group,
  selector: Selector,
  pace: Rests,
): NotificationContent | Promise<NotificationContent> {
  const made = selector.write(subscription, parts)
  return 'members' in made ? made : fitting(made, pace)
}

/** Characters of what is written already. */
const lengthOf = ({ members }: NotificationContent): number =>
  Object.values(members).reduce<number>((sum, one) => sum + (one instanceof JsonText ? one.text.length : 0), 0)

interface Ended {
  readonly finality: Finality
  readonly cursor: string | null
}

const textOf = (type: string, members: NotificationContent['members'], { finality, cursor }: Ended): string =>
  textOfMembers({ type, finality, ...members, ...(cursor === null ? {} : { cursor }) })

/** At once where no names are wanted. */
function textFor(
  { subscription }: Group,
  { members, accounts }: NotificationContent,
  { books, name, ended }: { readonly books: LiveBooks; readonly name: string; readonly ended: Ended },
): string | Promise<string> {
  const { addressBook, metadata } = subscription
  if (accounts === null || !(addressBook || metadata)) return textOf(name, members, ended)
  return namesOf(books, accounts, subscription).then((names) => textOf(name, { ...members, ...names }, ended))
}

/** At once where it fits into this turn. */
function fitting<R>(pieces: Generator<void, R>, pace: Rests): R | Promise<R> {
  for (let piece = pieces.next(); ; piece = pieces.next()) {
    if (piece.done === true) return piece.value
    if (pace.isDue) return pace.rest().then(() => inPieces(pieces, pace))
  }
}

async function namesOf(
  books: LiveBooks,
  accounts: readonly AccountKey[],
  { addressBook, metadata }: Pick<Subscription, 'addressBook' | 'metadata'>,
): Promise<NotificationContent['members']> {
  const [book, tokens] = await Promise.all([
    addressBook ? books.addressBook(accounts) : undefined,
    metadata ? books.metadata(accounts) : undefined,
  ])
  return {
    ...(book === undefined ? {} : { address_book: book }),
    ...(tokens === undefined ? {} : { metadata: tokens }),
  }
}
