// The room of streams: who subscribed to what, and what each subscriber is sent of messages and blocks, in order and without a gap.
//
// It follows the feed of the index, knows the forms of v3 from the methods, and knows no HTTP: a transport gives it requests and
// sinks. A type of notification is one file and one entry in `notifications/`. Nothing is dropped for a slow reader: its
// transport ends the connection, and the reader resumes by its last cursor.

export { BlockNotices, cursorOf, type SomeNotices, type WaitingSubscriptions } from './blockNotices.ts'
export type { Watched } from './blockWatch.ts'
export type { HubLimits } from './hubLimits.ts'
export { NamedMembers } from './namedMembers.ts'
export { wantsEveryBlock } from './notifications/index.ts'
export { MOST_OPCODES, readingNames, SubscriptionRefused } from './readSubscription.ts'
export { RecentSet } from './recentSet.ts'
export {
  type Cursor,
  END_OF_BLOCK,
  endOfBlock,
  positionOf,
  readStreamCursor,
  writeStreamCursor,
} from './streamCursor.ts'
export { type ReadySubscription, type StreamHealth, Streaming } from './streaming.ts'
export type { StreamSeat } from './streamSeats.ts'
export { isOfAnyAccount, type Subscription } from './streamSubscription.ts'
export type { Sink, Subscriber } from './subscriber.ts'
