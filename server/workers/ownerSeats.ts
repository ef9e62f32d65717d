// The seats of a worker's connections, which the owner counts.

import type { Counting } from '../http/index.ts'
import type { OwnerLink } from './ownerLink.ts'

export const countedByOwner = (channel: OwnerLink['channel']): Counting => ({
  claim: (seatId, caller) => channel.ask('claim', { seatId, caller }),
  claimSocket: (seatId) => channel.ask('claimSocket', seatId),
  noteIdle(seatId, isIdle) {
    channel.notify('idle', { seatId, isIdle })
    // Before the answer goes out: the next connection may come right after it, and the owner closes one without a request for it.
    if (!isIdle) channel.flush()
  },
  released: (seatId) => channel.notify('released', seatId),
})
