import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../client/index.ts'

/** Resolves when the demo has been played and the index has all of it: no new transaction for two seconds. */
export async function untilPlayed(client: Client): Promise<void> {
  for (let still = 0, last = ''; still < 4; await pause(500)) {
    const { transactions } = await client.v3.transactions({ limit: 1 })
    const lt = transactions[0]?.lt ?? ''
    still = lt === last ? still + 1 : 0
    last = lt
  }
}
