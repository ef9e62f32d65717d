// A message in the request to a wallet: source, times and fees are filled in by the chain.

import { beginCell, buildDict, type Cell, stdAddress } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import { extraCurrencyKind, type InternalInfo, makeMessage, storeMessage, toCell } from '../../tlb/index.ts'
import { type Deployment, initOf } from './deployment.ts'

export interface OutgoingMessage {
  /** An account, or a contract that the message deploys. */
  readonly to: AccountId | Deployment
  /** Nanotons. */
  readonly value: bigint
  /** Amounts by the number of the currency; none when absent. */
  readonly currencies?: ReadonlyMap<number, bigint>
  readonly body?: Cell
  /** Whether it comes back when it fails; yes when absent. */
  readonly bounce?: boolean
}

const NO_BODY = beginCell().end()
const NONE: ReadonlyMap<number, bigint> = new Map()

/** The `MessageRelaxed` that wallets take. */
export function outgoingMessage({
  to,
  value,
  currencies = NONE,
  body = NO_BODY,
  bounce = true,
}: OutgoingMessage): Cell {
  const { workchain, hash } = 'code' in to ? to.address : to
  const info: InternalInfo<null> = {
    kind: 'internal',
    ihrDisabled: true,
    bounce,
    bounced: false,
    src: null,
    dest: stdAddress(workchain, hash),
    value: { grams: value, other: buildDict(extraCurrencyKind, currencies) },
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt: 0n,
    createdAt: 0,
  }
  const init = 'code' in to ? initOf(to) : null
  return toCell(makeMessage(info, init, body), storeMessage)
}
