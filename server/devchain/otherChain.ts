// A folder whose chain is another one than the options say: which one it is, for those who can name it.

import { type DevchainOptions, TESTNET_GLOBAL_ID } from './devchainOptions.ts'
import { LogError, LogForeign } from './log/index.ts'

const FORKED = 'forked devchain'
const OWN = 'devchain '

/** How the files of a chain name it. A fork's folder is refused for other chains. */
export const chainName = ({ globalId = TESTNET_GLOBAL_ID, fork }: DevchainOptions): Uint8Array =>
  Buffer.from(fork === undefined ? `${OWN}${globalId}` : FORKED)

export class OtherChain extends LogError {
  /** Its network id; null for a fork. */
  readonly globalId: number | null

  constructor(globalId: number | null, cause: LogForeign) {
    super('foreign', cause.message, { cause })
    this.globalId = globalId
  }
}

/** The error as it is where it does not name a chain of ours. */
export function otherChain(error: unknown): unknown {
  if (!(error instanceof LogForeign) || error.network === null) return error
  const name = Buffer.from(error.network).toString()
  if (name === FORKED) return new OtherChain(null, error)
  return name.startsWith(OWN) ? new OtherChain(Number(name.slice(OWN.length)), error) : error
}
