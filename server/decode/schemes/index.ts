import {
  type BodyDefinition,
  dns,
  dnsRecordLayouts,
  elector,
  everyday,
  jettons,
  liquidStaking,
  multisig,
  nft,
  sales,
  vesting,
} from '../../bodies/index.ts'
import type { Slice } from '../../cell/index.ts'
import { Readers } from '../readers.ts'
import type { DecodedRecord, Within } from '../value.ts'
import { names } from './names.ts'

export interface Scheme {
  readonly name: string
  /** Reads what follows the 32 bits of the operation. */
  readonly read: (slice: Slice, within: Within) => DecodedRecord
}

const PROTOCOLS = [everyday, jettons, nft, dns, elector, liquidStaking, multisig, vesting, sales]
/** Those without a public name are not shown. */
const DECODED = PROTOCOLS.flatMap((protocol) => Object.values<BodyDefinition>(protocol)).filter(
  ({ name }) => name !== '_',
)

const readers = new Readers()
readers.define('DNSRecord', Object.values(dnsRecordLayouts))

/** By operation, in the order they are tried. */
export const schemes: ReadonlyMap<number, readonly Scheme[]> = (() => {
  const found = new Map<number, Scheme[]>()
  for (const { opcode, name, forms } of DECODED) {
    const known = forms.map((fields) => ({ name, read: readers.fieldsReader(fields) }))
    found.set(opcode, [...(found.get(opcode) ?? []), ...known])
  }
  return found
})()

/** Names of operations whose bodies are not decoded. */
export const bareNames: ReadonlyMap<number, string> = new Map(
  Object.entries(names).flatMap(([name, operations]) => operations.map((operation) => [operation, name] as const)),
)
