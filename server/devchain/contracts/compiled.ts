// The file of compiled contracts, written by the build and read by the service: its path and content.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Contracts compiled from the `.tolk` file of this path; every other one is a part of them. */
export const tolkContracts = ['config', 'elector', 'faucet', 'highload'] as const
/** Wallets, as @ton/ton carries them. Of v5 beta it has no code, but the name of a library that only other networks have. */
export const walletContracts = [
  'walletV1R1',
  'walletV1R2',
  'walletV1R3',
  'walletV2R1',
  'walletV2R2',
  'walletV3R1',
  'walletV3R2',
  'walletV4R2',
  'walletV5R1',
] as const

export type ContractName = (typeof tolkContracts)[number] | (typeof walletContracts)[number]

export interface CompiledContract {
  /** The code as a bag of cells, base64. */
  readonly boc: string
  /** Hash of the code, lowercase hex. */
  readonly hash: string
  /** Who made it, in which version. */
  readonly origin: string
}

export interface CompiledFile {
  /** Names the sources and tools it was made from. */
  readonly fingerprint: string
  readonly contracts: Readonly<Record<string, CompiledContract>>
}

// The package root, because compiled code and sources run from different depths.
const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))

/** Where the Tolk sources are; absent from an installed package. */
export const sourceFolder = join(root, 'server/devchain/contracts')
export const compiledPath = join(root, '.build/server/devchain/contracts/compiled.json')
