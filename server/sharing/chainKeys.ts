// Names of keys in a Redis, which other services and other chains may use too.

const PREFIX = 'tonrpc'

/** By the root hash of the zerostate: processes may know one chain by several names, and two chains by one. */
const chainPrefix = (genesis: Uint8Array): string => `${PREFIX}:chain:${Buffer.from(genesis).toString('hex')}`

export const budgetPrefix = (genesis: Uint8Array): string => `${chainPrefix(genesis)}:budget:`

export interface ChainKeys {
  readonly messages: string
  readonly heads: string
}

export function chainKeys(genesis: Uint8Array): ChainKeys {
  const chain = chainPrefix(genesis)
  return { messages: `${chain}:messages`, heads: `${chain}:heads` }
}
