// The queues: descriptions of tokens, and dictionaries some of them name.

import { closeTogether } from '../process/index.ts'
import { createDescriptions } from './descriptions.ts'
import { createAirdrops } from './fetchAirdrop.ts'
import { LinkPump } from './linkPump.ts'
import type { MetadataOptions } from './metadataOptions.ts'
import { SilentHosts } from './silentHosts.ts'

export interface MetadataService {
  /** Ends what is going on. */
  close(): Promise<void>
}

const POLL_MS = 1_000
/** Pauses between dictionaries, in looks for tokens. */
const AIRDROP_POLLS = 5

/** Begins to fetch what tokens have elsewhere, as long as there is any to fetch. */
export function startMetadata(given: MetadataOptions): MetadataService {
  const { log, ipfsGateway, pollMs = POLL_MS, isOurs = () => true, rules = {} } = given
  const { silent = new SilentHosts() } = rules
  const options = { ...given, rules: { ...rules, silent } }
  const pumped = { log, ipfsGateway, silent, isOurs }
  const descriptions = new LinkPump({
    ...pumped,
    ...createDescriptions(options),
    pollMs,
    waiting: 'descriptions of tokens',
  })
  const airdropMs = AIRDROP_POLLS * pollMs
  const airdrops = new LinkPump({
    ...pumped,
    ...createAirdrops(options, airdropMs),
    pollMs: airdropMs,
    waiting: 'first amounts of jettons',
  })
  return {
    close: () =>
      closeTogether(
        () => descriptions.close(),
        () => airdrops.close(),
      ),
  }
}
