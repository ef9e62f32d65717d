// What the decoder knows of the bodies of operations.

import { createHash } from 'node:crypto'
import {
  type BodyDefinition,
  type Definition,
  dns,
  dnsRecordLayouts,
  elector,
  everyday,
  jettons,
  liquidStaking,
  multisig,
  nft,
  nominators,
  sales,
  vesting,
} from '../../bodies/index.ts'
import { Readers } from '../readers.ts'
import { publicLines } from './lines/index.ts'
import { PublicSchemes } from './publicSchemes.ts'
import type { Scheme } from './scheme.ts'

export type { Scheme } from './scheme.ts'

type Protocol = Readonly<Record<string, BodyDefinition>>

/** Those without a public name are not shown. */
const named = (...protocols: readonly Protocol[]): BodyDefinition[] =>
  protocols.flatMap((protocol) => Object.values(protocol)).filter(({ name }) => name !== '_')

const DECODED = named(everyday, jettons, nft, dns, elector, nominators, liquidStaking, multisig, vesting, sales)

const DNS_RECORDS = Object.values(dnsRecordLayouts)

const readers = new Readers()
readers.define('DNSRecord', DNS_RECORDS)

/** By operation, in the order they are tried. */
const core: ReadonlyMap<number, readonly Scheme[]> = (() => {
  const found = new Map<number, Scheme[]>()
  for (const { opcode, name, forms } of DECODED) {
    const known = forms.map((fields, i) => ({ name, isLooser: i > 0, read: readers.fieldsReader(fields) }))
    found.set(opcode, [...(found.get(opcode) ?? []), ...known])
  }
  return found
})()

/** Whether contracts of all kinds have this operation, by a standard. */
export const isCommon = (operation: number): boolean => core.has(operation)

let others: PublicSchemes | null = null

/** Those of a 32-bit operation, in the order they are tried. */
export function schemesOf(operation: number): readonly Scheme[] {
  const known = core.get(operation)
  if (known !== undefined) return known
  others ??= new PublicSchemes(publicLines())
  return others.of(operation)
}

/** Of all that schemes say: another one when a name, a field or an operation changes. */
export function schemesFingerprintOf(definitions: readonly Definition[], lines: readonly string[]): string {
  const digest = createHash('sha256')
  for (const { name, tag, forms } of definitions) digest.update(`${JSON.stringify([name, tag, forms])}\n`)
  for (const line of lines) digest.update(`${line}\n`)
  return digest.digest('base64url')
}

/** Of the schemes of this program. It takes about a millisecond. */
export const schemesFingerprint = (): string => schemesFingerprintOf([...DECODED, ...DNS_RECORDS], publicLines())
