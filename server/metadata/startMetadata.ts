// The queues: descriptions of tokens, and dictionaries some of them name.

import { fetchDescriptions } from './descriptions.ts'
import { fetchAirdrop } from './fetchAirdrop.ts'
import { Rounds } from './fetchRounds.ts'
import type { MetadataOptions } from './metadataOptions.ts'

export interface MetadataService {
  /** Ends what is going on. */
  close(): Promise<void>
}

const POLL_MS = 1_000
/** Pauses between dictionaries, in looks for tokens. */
const AIRDROP_POLLS = 5

/** Begins to fetch what tokens have elsewhere, as long as there is any to fetch. */
export function startMetadata(options: MetadataOptions): MetadataService {
  const { log, pollMs = POLL_MS } = options
  const { isOurs = () => true } = options
  const descriptions = new Rounds({
    log,
    pollMs,
    waiting: 'descriptions of tokens',
    round: async (signal) => (isOurs() ? await fetchDescriptions(options, signal) : 0),
  })
  const airdrops = new Rounds({
    log,
    pollMs: AIRDROP_POLLS * pollMs,
    waiting: 'first amounts of jettons',
    round: async (signal) => (isOurs() ? await fetchAirdrop(options, signal) : 0),
  })
  return {
    async close() {
      await Promise.all([descriptions.close(), airdrops.close()])
    },
  }
}
