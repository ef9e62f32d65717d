// The usual wallets, recognised by the hash of their code, and what their data holds. The hashes are those of
// tonkeeper/tongo, abi/schemas/wallets.xml.

import { fromBase64 } from '../../shared/base64.ts'
import type { WalletType } from '../../shared/walletType.ts'
import { type BinaryHash, type Cell, hashFromBytes, openCell, orNull } from '../cell/index.ts'

/** How the data begins: a seqno; a seqno and an id; or those two behind a flag. */
export type WalletLayout = 'seqno' | 'seqnoAndId' | 'flagSeqnoAndId'

export interface WalletKind {
  /** As both families of methods call it. */
  readonly type: WalletType
  readonly interfaceName: string
  readonly layout: WalletLayout
}

const TABLE: readonly (readonly [hash: string, type: WalletType, interfaceName: string, layout: WalletLayout])[] = [
  ['oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=', 'wallet v1 r1', 'wallet_v1r1', 'seqno'],
  ['1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=', 'wallet v1 r2', 'wallet_v1r2', 'seqno'],
  ['WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=', 'wallet v1 r3', 'wallet_v1r3', 'seqno'],
  ['XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=', 'wallet v2 r1', 'wallet_v2r1', 'seqno'],
  ['/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=', 'wallet v2 r2', 'wallet_v2r2', 'seqno'],
  ['thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=', 'wallet v3 r1', 'wallet_v3r1', 'seqnoAndId'],
  ['hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=', 'wallet v3 r2', 'wallet_v3r2', 'seqnoAndId'],
  ['ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=', 'wallet v4 r1', 'wallet_v4r1', 'seqnoAndId'],
  ['/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', 'wallet v4 r2', 'wallet_v4r2', 'seqnoAndId'],
  // Its seqno is one bit longer than read here, and its id begins with the id of the network.
  ['89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=', 'wallet v5 beta', 'wallet_v5_beta', 'flagSeqnoAndId'],
  ['IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=', 'wallet v5 r1', 'wallet_v5r1', 'flagSeqnoAndId'],
]

/** By hash of the code. */
export const walletKinds: ReadonlyMap<BinaryHash, WalletKind> = new Map(
  TABLE.map(([hash, type, interfaceName, layout]) => [
    hashFromBytes(fromBase64(hash) ?? new Uint8Array()),
    { type, interfaceName, layout },
  ]),
)

export const walletKindOf = (codeHash: BinaryHash): WalletKind | null => walletKinds.get(codeHash) ?? null

/** Whether friendly addresses of such contracts are written as not bounceable. */
export const isSimpleWallet = (codeHash: BinaryHash): boolean => walletKinds.has(codeHash)

/** Unsigned numbers; null for what a kind of wallet does not have. */
export interface WalletData {
  readonly seqno: number
  readonly walletId: number | null
  readonly isSignatureAllowed: boolean | null
}

function readData(layout: WalletLayout, data: Cell): WalletData {
  const slice = openCell(data)
  const isSignatureAllowed = layout === 'flagSeqnoAndId' ? slice.loadBit() : null
  const seqno = slice.loadUint(32)
  return { seqno, walletId: layout === 'seqno' ? null : slice.loadUint(32), isSignatureAllowed }
}

/** The fields of a wallet's data; null when it is too short: a wallet's code can be deployed with any data. */
export const walletDataOf = ({ layout }: WalletKind, data: Cell): WalletData | null =>
  orNull(() => readData(layout, data))
