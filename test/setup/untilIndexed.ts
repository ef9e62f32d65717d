// The wait for an index that follows a chain in the same process: without pauses, reads would take the processor from it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../client/index.ts'

const PAUSE_MS = 50

/** Resolves when the index has this block of the masterchain. */
export async function untilIndexed(client: Client, seqno: number): Promise<void> {
  while ((await client.v3.masterchainInfo()).last.seqno < seqno) await sleep(PAUSE_MS)
}
