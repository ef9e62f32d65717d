// Whether the servers that can be used are on one chain. Each proves its own by itself, and two that differ must not be used
// together: readers would be sent back and forth.

import type { BlockIdExt } from '../../node/index.ts'

/** What some servers name as the block of a height. */
export interface Branch {
  readonly id: BlockIdExt
  readonly servers: readonly string[]
}

const hashOf = ({ rootHash }: BlockIdExt): string => Buffer.from(rootHash).toString('base64')

/** Those that most servers are on first; one where all agree. */
export function branchesAmong(named: ReadonlyMap<string, BlockIdExt | null>): readonly Branch[] {
  const branches = new Map<string, { id: BlockIdExt; servers: string[] }>()
  for (const [server, id] of named) {
    if (id === null) continue
    const branch = branches.get(hashOf(id)) ?? { id, servers: [] }
    branch.servers.push(server)
    branches.set(hashOf(id), branch)
  }
  return [...branches.values()].sort((a, b) => b.servers.length - a.servers.length)
}

/** One line for each that is not the first. */
export function adviceOnForks([first, ...others]: readonly Branch[]): readonly string[] {
  if (first === undefined) return []
  const [known = ''] = first.servers
  return others.map(
    ({ id, servers }) =>
      `${servers.join(', ')}: on another fork: block ${id.seqno} is ${hashOf(id)} there, and ${hashOf(first.id)} at ` +
      `${known}; find out which of them is the network's, and use only servers that have it`,
  )
}
