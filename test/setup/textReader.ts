// A subscriber of streams whose notifications are written into a list.

import { Subscriber } from '../../server/streaming/subscriber.ts'

type Wishes = ConstructorParameters<typeof Subscriber>[1]

export function textReader(sent: string[], wishes: Pick<Wishes, 'types' | 'addresses'> & Partial<Wishes>): Subscriber {
  const sink = {
    isClosed: false,
    send: (text: string) => void sent.push(text),
    drained: () => Promise.resolve(),
    fail: () => undefined,
  }
  return new Subscriber(sink, {
    hashes: new Set<string>(),
    opcodes: new Set<number>(),
    namesNoAccount: false,
    minFinality: 'finalized',
    actionTypes: null,
    supportedTypes: new Set<string>(),
    addressBook: false,
    metadata: false,
    progress: false,
    after: null,
    pendingMessages: false,
    ...wishes,
  })
}
