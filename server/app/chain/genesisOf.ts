import { timeLimit } from '../../process/index.ts'
import type { ChainService } from './chainService.ts'

/** A chain that does not answer is queried again. */
const LONGEST_MS = 10_000

/** Root hash of the zerostate, which distinguishes a chain from others of its name. Rejects while the chain does not answer. */
export async function genesisOf(
  chain: ChainService['chain'],
  signal: AbortSignal = timeLimit(LONGEST_MS),
): Promise<Uint8Array> {
  return (await chain.head({ signal, timeoutMs: LONGEST_MS })).zerostate.rootHash
}
