// The supported kinds of wallets: their first data, and where they store their counter.

import { type Builder, beginCell, type Cell, openCell, type Slice } from '../../cell/index.ts'
import type { ContractName } from '../contracts/index.ts'

/** `highload` is a contract of our own, the others are those of @ton/ton. */
export const devWallets = ['v1r1', 'v1r2', 'v1r3', 'v2r1', 'v2r2', 'v3r1', 'v3r2', 'v4r2', 'v5r1', 'highload'] as const

export type DevWallet = (typeof devWallets)[number]

/** Identifies one of the wallets of a key. */
export interface WalletPlace {
  readonly globalId: number
  /** 0 by default, up to 32767. Wallets v1 and v2 have no number: a key has one of each. */
  readonly number?: number
  /** The basechain by default. */
  readonly workchain?: number
}

/** Default wallet id of v3 and v4 in the basechain; the workchain number is added to it. */
const WALLET_ID = 698_983_191
/** Default wallet id of highload wallets. */
const HIGHLOAD_ID = 0x10ad
/** Seconds a request to a highload wallet may be old. */
export const HIGHLOAD_TIMEOUT = 3600

interface Shape {
  readonly code: ContractName
  /** Maximum messages of one request. */
  readonly most: number
  /** Writes what follows the key. */
  readonly tail?: (builder: Builder) => Builder
}

const emptyDictionary = (builder: Builder): Builder => builder.storeBit(0)

const shapes: Readonly<Record<DevWallet, Shape>> = {
  v1r1: { code: 'walletV1R1', most: 1 },
  v1r2: { code: 'walletV1R2', most: 1 },
  v1r3: { code: 'walletV1R3', most: 1 },
  v2r1: { code: 'walletV2R1', most: 4 },
  v2r2: { code: 'walletV2R2', most: 4 },
  v3r1: { code: 'walletV3R1', most: 4 },
  v3r2: { code: 'walletV3R2', most: 4 },
  v4r2: { code: 'walletV4R2', most: 4, tail: emptyDictionary },
  v5r1: { code: 'walletV5R1', most: 255, tail: emptyDictionary },
  highload: { code: 'highload', most: 254 },
}

export const walletCode = (kind: DevWallet): ContractName => shapes[kind].code

/** Maximum messages of one request to a wallet. */
export const mostMessages = (kind: DevWallet): number => shapes[kind].most

const hasNoId = (kind: DevWallet): boolean => kind.startsWith('v1') || kind.startsWith('v2')

/** The id of a v5 wallet contains the network, the workchain and the wallet's number. */
const walletIdV5 = ({ globalId, number = 0, workchain = 0 }: WalletPlace): number =>
  globalId ^ (0x8000_0000 | ((workchain & 0xff) << 23) | number)

/** The data a wallet of this key is deployed with. */
export function walletData(kind: DevWallet, publicKey: Uint8Array, place: WalletPlace): Cell {
  const { number = 0, workchain = 0 } = place
  if (kind === 'highload') {
    const known = beginCell()
      .storeBytes(publicKey)
      .storeUint(HIGHLOAD_ID + number, 32)
    return known.storeRepeat(0, 2).storeUint(0, 64).storeUint(HIGHLOAD_TIMEOUT, 22).end()
  }
  const head = kind === 'v5r1' ? beginCell().storeBit(1) : beginCell()
  const counted = head.storeUint(0, 32)
  if (kind === 'v5r1') counted.storeInt(walletIdV5(place), 32)
  else if (!hasNoId(kind)) counted.storeUint(WALLET_ID + workchain + number, 32)
  const { tail = (builder) => builder } = shapes[kind]
  return tail(counted.storeBytes(publicKey)).end()
}

/** The data, read as far as the seqno. */
function openSeqno(kind: DevWallet, data: Cell): Slice {
  const slice = openCell(data)
  if (kind === 'v5r1') slice.loadBit()
  return slice
}

/** The seqno in a wallet's data; 0 for wallets without one. */
export const seqnoIn = (kind: DevWallet, data: Cell): number =>
  kind === 'highload' ? 0 : openSeqno(kind, data).loadUint(32)

/** The wallet id; 0 for wallets without one. */
export function walletIdIn(kind: DevWallet, data: Cell): number {
  if (hasNoId(kind)) return 0
  const slice = kind === 'highload' ? openCell(data).skip(256) : openSeqno(kind, data).skip(32)
  return slice.loadUint(32)
}
