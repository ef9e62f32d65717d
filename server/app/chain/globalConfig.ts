// What clients of lite servers start from: where the server is, and which blocks to trust. In the form the networks publish
// theirs in.

import { lookup } from 'node:dns/promises'
import { isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { base64Of } from '../../cell/index.ts'
import type { BlockIdExt } from '../../node/index.ts'

/** Where clients begin to trust. */
export interface ConfigStart {
  readonly zerostate: BlockIdExt
  /** A key block, or the zerostate. */
  readonly init: BlockIdExt
  readonly hardForks: readonly BlockIdExt[]
}

export interface ServerPlace {
  /** An IPv4 address, or a host name. */
  readonly address: string
  readonly port: number
  /** Ed25519, 32 bytes. */
  readonly key: Uint8Array
}

/** Stands for the shard until the text is made: 64 bits, which no number of JavaScript holds exactly. */
const SHARD = '@shard@'

const blockOf = ({ workchain, seqno, rootHash, fileHash }: BlockIdExt) => ({
  workchain,
  shard: SHARD,
  seqno,
  root_hash: base64Of(rootHash),
  file_hash: base64Of(fileHash),
})

/** As a signed number of 32 bits, the first part on top. */
const ipNumber = (address: string): number =>
  address.split('.').reduce((number, part) => (number << 8) | (Number(part) & 255), 0)

function serverOf({ address, port, key }: ServerPlace) {
  const place = isIPv4(address) ? { ip: ipNumber(address), port } : { hostname: address, port }
  return { ...place, id: { '@type': 'pub.ed25519', key: base64Of(key) } }
}

/** The text of a `global.config.json`; all blocks in it are of the masterchain. */
export function globalConfig(server: ServerPlace, { zerostate, init, hardForks }: ConfigStart): string {
  const config = {
    '@type': 'config.global',
    // Used by nodes to find each other; clients require the field.
    dht: { '@type': 'dht.config.global', k: 6, a: 3, static_nodes: { '@type': 'dht.nodes', nodes: [] } },
    liteservers: [serverOf(server)],
    validator: {
      '@type': 'validator.config.global',
      zero_state: blockOf(zerostate),
      init_block: blockOf(init),
      hardforks: hardForks.map(blockOf),
    },
  }
  return `${JSON.stringify(config, null, 2).replaceAll(`"${SHARD}"`, '-9223372036854775808')}\n`
}

const ALL = new Set(['0.0.0.0', '::'])
const LOOPBACK = '127.0.0.1'

interface Machine {
  readonly interfaces?: typeof networkInterfaces
  /** The system does not say the addresses, as where a process may have no sockets of AF_NETLINK. */
  readonly onUnknown: (error: unknown) => void
}

function outerAddress({ interfaces = networkInterfaces, onUnknown }: Machine): string {
  try {
    const all = Object.values(interfaces()).flatMap((addresses) => addresses ?? [])
    return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? LOOPBACK
  } catch (error) {
    onUnknown(error)
    return LOOPBACK
  }
}

/** By which others reach a host that was listened on: of all addresses of the machine, the first that leads out of it. */
export async function listenerAddressOf(host: string, machine: Machine): Promise<string> {
  if (ALL.has(host)) return outerAddress(machine)
  if (isIPv4(host) || isIPv6(host)) return host
  return await lookup(host, 4).then(
    ({ address }) => address,
    () => host,
  )
}
