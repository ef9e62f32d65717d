// What the contracts of tgBTC write to their logs.

import type { Slice } from '../../../cell/index.ts'
import type { Block } from '../../block.ts'
import { hexOf, readAddress } from '../../reading.ts'

/** The teleport makes a contract that pays bitcoins out, and that reports to the coordinator. */
export const PEG_OUT = 0xbe44e7a6
export const PEG_OUT_MADE = 0x1a84c0e0

export const MINT_LOG = 0x77a80ef3
export const BURN_LOG = 0xca444ce6
export const NEW_KEY_LOG = 0x27756729
export const DKG_LOG = 0x453443a6

export interface MintLog {
  readonly amount: bigint
  readonly recipient: string | null
  /** As Bitcoin shows it, its bytes backwards. */
  readonly bitcoinTxId: string
}

export const readMintLog = (body: Slice): MintLog => ({
  amount: body.loadCoins(),
  recipient: readAddress(body),
  bitcoinTxId: hexOf(body.loadBytes(32).reverse()),
})

export const readBurnLog = (body: Slice): bigint => body.loadCoins()

export interface NewKeyLog {
  readonly amount: bigint
  readonly pubkey: string
  readonly pegout: string | null
}

export const readNewKeyLog = (body: Slice): NewKeyLog => ({
  amount: body.loadCoins(),
  pubkey: hexOf(body.loadBytes(32)),
  pegout: readAddress(body),
})

export interface DkgLog {
  readonly timestamp: bigint
  readonly pubkey: string
}

export const readDkgLog = (body: Slice): DkgLog => ({
  timestamp: body.loadUintBig(64),
  pubkey: hexOf(body.loadBytes(32)),
})

/** Who wrote a log. */
export const writerOf = (log: Block): string => log.first.transaction.account
