// What no server can prove: the zerostate of each public network, and blocks known to be on its chain. Trust starts from
// the newest of them.

import { type BlockIdExt, haveSameHashes, MASTERCHAIN, WHOLE_SHARD } from '../blockId.ts'
import { TrustError } from './trustError.ts'

/** Trusted facts of a network, built in or from a configuration. */
export interface NetworkFacts {
  readonly zerostate: BlockIdExt
  /** Hard forks: blocks with which the chain was restarted by hand. No proof crosses one. */
  readonly hardForks: readonly BlockIdExt[]
  /** A key block to start from; null: the zerostate. */
  readonly init: BlockIdExt | null
}

export interface TrustStart {
  readonly zerostate: BlockIdExt
  /** The block trust begins with. */
  readonly block: BlockIdExt
}

const block = (seqno: number, root: string, file: string): BlockIdExt => ({
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno,
  rootHash: Buffer.from(root, 'base64'),
  fileHash: Buffer.from(file, 'base64'),
})

export const publicNetworks = {
  mainnet: {
    zerostate: block(0, 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=', 'XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24='),
    hardForks: [
      block(8_536_841, '08Kpc9XxrMKC6BF/FeNHPS3MEL1/Vi/fQU/C9ELUrkc=', 't/9VBPODF7Zdh4nsnA49dprO69nQNMqYL+zk5bCjV/8='),
    ],
    // Of February 2025. An older one costs time at the first start, nothing else.
    init: block(
      43_792_209,
      'AvaCaskwbUZCAOkULgK9zqtArFavpqg/KMTu9qO4M1U=',
      'mlMbjSH0ahszX7yNIQOOawmCJxzofpaTeqlsrQspqUk=',
    ),
  },
  testnet: {
    zerostate: block(0, 'gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=', 'Z+IKwYS54DmmJmesw/nAD5DzWadnOCMzee+kdgSYDOg='),
    hardForks: [
      block(5_141_579, '6JSqIYIkW7y8IorxfbQBoXiuY3kXjcoYgQOxTJpjXXA=', 'jF3RTD+OyOoP+OI9oIjdV6M8EaOh9E+8+c3m5JkPYdg='),
      block(5_172_980, '054VCNNtUEwYGoRe1zjH+9b1q21/MeM+3fOo76Vcjes=', 'WrNoMrn5UIVPDV/ug/VPjYatvde8TPvz5v1VYHCLPh8='),
      block(5_176_527, 'SoPLqMe9Dz26YJPOGDOHApTSe5i0kXFtRmRh/zPMGuI=', 'xRaxgUwgTXYFb16YnR+Q+VVsczLl6jmYwvzhQ/ncrh4='),
    ],
    init: block(
      17_908_219,
      'y6qWqhCnLgzWHjUFmXysaiOljuK5xVoCRMLzUwGInVM=',
      'Y/GziXxwuYte0AM4WT7tTWsCx+6rcfLpGmRaEQwhUKI=',
    ),
  },
} as const satisfies Readonly<Record<string, NetworkFacts>>

export type PublicNetwork = keyof typeof publicNetworks

/** The newest of a network's known blocks, since no proof crosses a hard fork. */
export function startOf({ zerostate, hardForks, init }: NetworkFacts): TrustStart {
  const known = [zerostate, ...hardForks, ...(init === null ? [] : [init])]
  return { zerostate, block: known.reduce((newest, one) => (one.seqno > newest.seqno ? one : newest)) }
}

/**
 * Where trust starts on a public network, given a configuration of it. The blocks in the configuration count only when it
 * is the operator's own file. Throws TrustError when it belongs to another network.
 */
export function publicStart(
  network: PublicNetwork,
  given: NetworkFacts | null = null,
  { isGivenTrusted = false }: { readonly isGivenTrusted?: boolean } = {},
): TrustStart {
  const own: NetworkFacts = publicNetworks[network]
  if (given === null) return startOf(own)
  if (!haveSameHashes(given.zerostate, own.zerostate))
    throw new TrustError(
      'network',
      `this configuration is one of another network: its zero_state is not that of ${network}`,
    )
  if (!isGivenTrusted) return startOf(own)
  const init = [own.init, given.init].reduce((a, b) => (b !== null && (a === null || b.seqno > a.seqno) ? b : a))
  return startOf({ zerostate: own.zerostate, hardForks: [...own.hardForks, ...given.hardForks], init })
}
