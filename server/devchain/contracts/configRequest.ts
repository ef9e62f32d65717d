// Requests of the owner of the configuration contract, as external messages. The shapes are those of the public
// contract; removing a parameter is ours.

import { type Builder, beginCell, type Cell, openCell } from '../../cell/index.ts'
import { messageFromOutside } from './messageFromOutside.ts'
import { CONFIG_ACCOUNT } from './systemAccounts.ts'

export type ConfigChange =
  | { readonly kind: 'parameter'; readonly index: number /** Null removes it. */; readonly value: Cell | null }
  | { readonly kind: 'code'; readonly code: Cell }
  | { readonly kind: 'owner'; readonly publicKey: Uint8Array }

export interface ConfigRequest {
  readonly change: ConfigChange
  /** As the get-method `seqno` says. */
  readonly seqno: number
  /** Unix seconds; at this time the request is too old. */
  readonly validUntil: number
  /** Ed25519 signature of a hash, by the owner's key. */
  readonly sign: (hash: Uint8Array) => Uint8Array
}

function storeChange(builder: Builder, change: ConfigChange): Builder {
  switch (change.kind) {
    case 'parameter':
      builder.storeInt(change.index, 32)
      return change.value === null ? builder : builder.storeRef(change.value)
    case 'code':
      return builder.storeRef(change.code)
    case 'owner':
      return builder.storeBytes(change.publicKey)
  }
}

const actions = { parameter: 0x43665021, code: 0x4e436f64, owner: 0x50624b21 } as const

/** The number the contract expects next, out of its data. */
export function configSeqno(data: Cell): number {
  const slice = openCell(data)
  slice.loadRef()
  return slice.loadUint(32)
}

/** The signed external message with which the configuration contract makes a change. */
export function configRequest({ change, seqno, validUntil, sign }: ConfigRequest): Cell {
  const unsigned = beginCell().storeUint(actions[change.kind], 32).storeUint(seqno, 32).storeUint(validUntil, 32)
  const request = storeChange(unsigned, change).end()
  const body = beginCell().storeBytes(sign(request.hashBytes())).storeRange(request.data(), 0, request.bits)
  for (const ref of request.refs) body.storeRef(ref)
  return messageFromOutside({ workchain: -1, hash: CONFIG_ACCOUNT }, body.end())
}
