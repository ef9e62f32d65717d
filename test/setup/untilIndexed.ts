// The wait for an index that follows a chain in the same process: without pauses, reads would take the processor from it.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, isRpcError, isTimeoutError } from '../../client/index.ts'

const PAUSE_MS = 50

/** On a busy machine an index may have no block yet, or no time for this call, for longer than a client tries. */
const isNotYet = (error: unknown): boolean =>
  isTimeoutError(error) || (isRpcError(error) && (error.kind === 'notIndexed' || error.kind === 'busy'))

async function newest(client: Client): Promise<number> {
  try {
    return (await client.v3.masterchainInfo()).last.seqno
  } catch (error) {
    if (isNotYet(error)) return 0
    throw error
  }
}

/** Resolves when the index has this block of the masterchain. */
export async function untilIndexed(client: Client, seqno: number): Promise<void> {
  while ((await newest(client)) < seqno) await sleep(PAUSE_MS)
}
