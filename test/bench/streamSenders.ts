// The wallets of the benchmark `stream`, in a process of their own as clients are: signing takes longer than a transaction.

import { Crowd } from '../setup/load.ts'

export interface SendersOrder {
  readonly globalId: number
  readonly seed: number
  readonly wallets: number
}

/** Answered with so many rounds of messages, one of each wallet in a round. */
export type RoundsOrder = number
export type Rounds = readonly (readonly Uint8Array[])[]

process.once('message', ({ globalId, ...of }: SendersOrder) => {
  const crowd = new Crowd(globalId, { transactions: 0, ...of })
  // Sent before the first round.
  for (const _ of crowd.beginnings());
  process.on('message', (count: RoundsOrder) => {
    const rounds: Rounds = Array.from({ length: count }, () => crowd.round())
    process.send?.(rounds)
  })
  process.send?.('ready')
})
