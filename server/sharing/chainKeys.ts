// Names of keys in a Redis, which other services and other chains may use too.

const PREFIX = 'tonrpc'

export const budgetPrefix = (network: string): string => `${PREFIX}:${network}:budget:`

export interface ChainKeys {
  readonly messages: string
  readonly heads: string
}

/** By the root hash of the zerostate: processes may know one chain by several names, and two chains by one. */
export function chainKeys(genesis: Uint8Array): ChainKeys {
  const chain = `${PREFIX}:chain:${Buffer.from(genesis).toString('hex')}`
  return { messages: `${chain}:messages`, heads: `${chain}:heads` }
}
