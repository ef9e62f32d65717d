import {
  type BodyDefinition,
  coffee,
  dedust,
  dns,
  dnsRecordLayouts,
  elector,
  everyday,
  jettons,
  liquidStaking,
  multisig,
  nft,
  sales,
  stonfi,
  stonfiV2,
  tonco,
  vesting,
} from '../../bodies/index.ts'
import type { Slice } from '../../cell/index.ts'
import { Readers } from '../readers.ts'
import type { DecodedRecord, Within } from '../value.ts'

export interface Scheme {
  readonly name: string
  /** Reads what follows the 32 bits of the operation. */
  readonly read: (slice: Slice, within: Within) => DecodedRecord
}

type Protocol = Readonly<Record<string, BodyDefinition>>

/** Those without a public name are not shown. */
const named = (...protocols: readonly Protocol[]): BodyDefinition[] =>
  protocols.flatMap((protocol) => Object.values(protocol)).filter(({ name }) => name !== '_')

const DECODED = named(everyday, jettons, nft, dns, elector, liquidStaking, multisig, vesting, sales)

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

/** Of exchanges only the name is shown: their bodies may change at any time. */
export const bareNames: ReadonlyMap<number, string> = new Map(
  named(stonfi, stonfiV2, dedust, tonco, coffee).map(({ opcode, name }) => [opcode, name]),
)
