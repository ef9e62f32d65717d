// The seats of a worker's connections, which the owner counts.

import type { Counting } from '../http/index.ts'
import type { OwnerLink } from './ownerLink.ts'

export const countedByOwner = (channel: OwnerLink['channel']): Counting => ({
  claim: (seat, caller) => channel.ask('claim', { seat, caller }),
  claimSocket: (seat) => channel.ask('claimSocket', seat),
  noteIdle(seat, isIdle) {
    channel.notify('idle', { seat, isIdle })
    // Before the answer: with that the next connection may come, for which one without a request has to make room.
    if (!isIdle) channel.flush()
  },
  released: (seat) => channel.notify('released', seat),
})
