// What `dev.*` needs of an embedded chain. The rooms that have it are not below the methods: the composition passes it in.

import type { Cell } from '../../cell/index.ts'
import type { BlockIdExt } from '../../node/index.ts'
import type { StateInit } from '../../tlb/index.ts'

interface AccountName {
  readonly workchain: number
  readonly id: Uint8Array
}

interface AccountAddress {
  readonly workchain: number
  readonly hash: Uint8Array
}

/** The transaction and trace a call caused; null while no block has them. */
export interface Caused {
  readonly txHash: Uint8Array | null
  readonly traceId: Uint8Array | null
  readonly pending: number
}

/** Unix seconds. */
export interface DevClocks {
  readonly chain: number
  readonly computer: number
}

type Mining = 'auto' | 'manual' | { readonly everyMs: number }

/** Sends an external message as its caller would: it is pending until a block has it. */
export type SendAsCaller = (boc: Uint8Array) => Promise<unknown>

/** Control of the chain. Throws RangeError for what its state does not allow, ChangeDropped for what it dropped. */
export interface DevControl {
  faucet(to: AccountName, amount: bigint, send?: SendAsCaller): Promise<Caused>
  mine(blocks: number): Promise<void>
  increaseTime(seconds: number): Promise<DevClocks>
  setNextBlockTime(utime: number): Promise<DevClocks>
  resetTime(): Promise<DevClocks>
  snapshot(label?: string): Promise<string>
  snapshots(): readonly { readonly id: string; readonly label: string | null; readonly seqno: number }[]
  revert(name: string): Promise<void>
  setAccount(
    patch: AccountName & { readonly balance?: bigint; readonly code?: Cell; readonly data?: Cell },
  ): Promise<void>
  sendInternal(message: {
    readonly from: AccountName
    readonly to: AccountName
    readonly value: bigint
    readonly body?: Cell
    readonly init?: StateInit
    readonly bounce?: boolean
  }): Promise<Caused>
  setMining(mode: Mining): void
  state(): {
    readonly head: { readonly master: BlockIdExt }
    readonly utime: number
    readonly mining: Mining
    readonly clockOffset: number
    readonly pending: number
    readonly epoch: number
    /** Null for a chain of its own. */
    readonly fork: { readonly block: BlockIdExt; readonly utime: number; readonly accounts: number } | null
  }
}

/** Mints tokens of the demo for tests. */
export interface DevGifts {
  jetton(
    to: AccountName,
    amount: bigint,
    send?: SendAsCaller,
  ): Promise<Caused & { readonly master: AccountAddress; readonly wallet: AccountAddress }>
  nft(
    to: AccountName,
    send?: SendAsCaller,
  ): Promise<Caused & { readonly collection: AccountAddress; readonly item: AccountAddress; readonly index: bigint }>
}

/** A test account with its published keys. */
export interface DevAccount {
  readonly name: string
  readonly kind: string
  readonly address: string
  readonly friendly: string
  readonly bounceable: string
  readonly publicKey: string
  readonly mnemonic: string
  readonly walletId?: number
  /** Nanotons at genesis, in digits. */
  readonly balance: `${bigint}`
}

export interface Controlled {
  readonly control: DevControl
  readonly gifts: DevGifts
  readonly accounts: readonly DevAccount[]
}
