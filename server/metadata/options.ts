import type { Log } from '../log.ts'
import type { Database } from '../store/index.ts'
import type { FetchRules } from './fetchPublic.ts'

export interface MetadataOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly log: Pick<Log, 'warn'>
  /** Where `ipfs:` links are asked for: an https address. */
  readonly ipfsGateway: string
  readonly rules?: FetchRules
  /** How often to look for tokens. */
  readonly pollMs?: number
  /** Unix milliseconds. */
  readonly now?: () => number
}
