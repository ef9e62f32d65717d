import type { Log } from '../observe/index.ts'
import type { Database } from '../store/index.ts'
import type { FetchRules } from './fetchPublic.ts'

export interface MetadataOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly log: Pick<Log, 'warn'>
  /** Gateway for `ipfs:` links: an https address. */
  readonly ipfsGateway: string
  readonly rules?: FetchRules
  /** Whether it is this process that fetches now, of several on one database; it always is when absent. */
  readonly isOurs?: () => boolean
  /** How often to look for tokens. */
  readonly pollMs?: number
  /** Unix milliseconds. */
  readonly now?: () => number
}
