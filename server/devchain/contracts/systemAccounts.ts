// The network's own contracts: addresses, initial data, and which run in every block.

import { beginCell, type Cell } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import { contractCode } from './contractCodes.ts'

export interface SystemAccount {
  readonly name: 'config' | 'elector'
  readonly workchain: -1
  /** 32 bytes. */
  readonly hash: Uint8Array
  /** Runs by itself before the messages of every masterchain block. */
  readonly tick: boolean
  /** Runs by itself after them. */
  readonly tock: boolean
  readonly code: Cell
  readonly data: Cell
}

/** Account id of the configuration contract, for parameters 0 and 31. */
export const CONFIG_ACCOUNT: Uint8Array = new Uint8Array(32).fill(0x55)
/** Account id of the elector, for parameters 1 and 31. */
export const ELECTOR_ACCOUNT: Uint8Array = new Uint8Array(32).fill(0x33)
export const ELECTOR_ADDRESS: AccountId = { workchain: -1, hash: ELECTOR_ACCOUNT }

/** First data of the configuration contract. `parameters` is the root of `Hashmap 32 ^Cell`. */
export const configData = (parameters: Cell, ownerPublicKey: Uint8Array): Cell =>
  beginCell().storeRef(parameters).storeUint(0, 32).storeBytes(ownerPublicKey).storeBit(0).end()

/** First data of the elector: no election, no credits, no past elections, no coins, no active set. */
export const electorData = (): Cell =>
  beginCell().storeRepeat(0, 3).storeCoins(0n).storeUint(0, 32).storeUint(0n, 256).end()

/** Both system accounts, in the order their special transactions run; the flags are those of the public network. */
export function systemAccounts(parameters: Cell, ownerPublicKey: Uint8Array): [SystemAccount, SystemAccount] {
  return [
    {
      name: 'elector',
      workchain: -1,
      hash: ELECTOR_ACCOUNT,
      tick: true,
      tock: false,
      code: contractCode('elector'),
      data: electorData(),
    },
    {
      name: 'config',
      workchain: -1,
      hash: CONFIG_ACCOUNT,
      tick: false,
      tock: true,
      code: contractCode('config'),
      data: configData(parameters, ownerPublicKey),
    },
  ]
}
