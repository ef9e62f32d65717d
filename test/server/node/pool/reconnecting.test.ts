// When a server whose connection ended is connected again.

import { expect, onTestFinished, test } from 'vitest'
import { stayConnected } from '../../../../server/node/pool/reconnecting.ts'
import { Suspension } from '../../../../server/node/pool/suspension.ts'
import { VirtualClock } from './virtualClock.ts'

test('behavior: pauses double up to half a minute, and begin anew once it has answered', async () => {
  const clock = new VirtualClock()
  onTestFinished(() => clock.close())
  const end = new AbortController()
  const begun: number[] = []
  await stayConnected({
    clock,
    random: () => 0.5,
    isMissed: () => false,
    suspension: new Suspension(clock, true),
    signal: end.signal,
    connection: async () => {
      begun.push(clock.now())
      if (begun.length === 12) end.abort()
      return { reason: 'it ended', wasHeard: begun.length === 9 }
    },
    onLost: () => undefined,
  })
  const pauses = begun.slice(1).map((at, i) => (at - (begun[i] ?? 0)) / 500)
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 1, 2, 4])
})
