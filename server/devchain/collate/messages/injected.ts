// Internal messages without a sender: the control API delivers them as if from any address. Their value appears out of
// nothing and is booked as minted.

import { beginCell, type Cell, stdAddress } from '../../../cell/index.ts'
import { gramsOnly, type InternalInfo, makeMessage, type StateInit, storeMessage, toCell } from '../../../tlb/index.ts'

export interface AccountName {
  readonly workchain: number
  /** Account id, 32 bytes. */
  readonly id: Uint8Array
}

export interface Injected {
  readonly from: AccountName
  readonly to: AccountName
  /** Nanotons. */
  readonly value: bigint
  /** Null for an empty one. */
  readonly body: Cell | null
  readonly init: StateInit | null
  readonly bounce: boolean
}

const NO_BODY = beginCell().end()

const address = ({ workchain, id }: AccountName) => stdAddress(workchain, id)

/** The message as the block creates it. */
export function injectedMessage(injected: Injected, createdLt: bigint, createdAt: number): Cell {
  const info: InternalInfo = {
    kind: 'internal',
    ihrDisabled: true,
    bounce: injected.bounce,
    bounced: false,
    src: address(injected.from),
    dest: address(injected.to),
    value: gramsOnly(injected.value),
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt,
    createdAt,
  }
  return toCell(makeMessage(info, injected.init, injected.body ?? NO_BODY), storeMessage)
}
