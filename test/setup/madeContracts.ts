// Contracts put together by hand: for each get-method which arguments it insists on, and what it leaves. They may say
// anything, which compiled ones would not.

import {
  Builder,
  beginCell,
  type Cell,
  hashToHex,
  type StdAddress,
  stdAddress,
  storeAddress,
} from '../../server/cell/index.ts'
import { crc16 } from '../../shared/address.ts'

export type Value = bigint | null | Cell | { readonly slice: Cell } | StdAddress

export interface MadeMethod {
  /** Bottom first; a call with others ends with exit code 55. */
  readonly args?: readonly Value[]
  /** Bottom first. */
  readonly results?: readonly Value[]
  /** Hex of code that runs last, of one cell each. */
  readonly code?: string | readonly string[]
}

/** One step of code; the next follows by reference. */
interface Step {
  readonly hex?: string
  readonly int?: bigint
  readonly ref?: Cell
}

const DROP = '30'
const CLEAR = '6865'
const PUSHNULL = '6d'
const PUSHREF = '88'
const PUSHREFSLICE = '89'
const HASHCU = 'f900'
const SDEQ = 'c705'
const EQUAL = 'ba'
const THROWIFNOT_55 = 'f2b7'

export const addressCell = (address: StdAddress | null): Cell => storeAddress(new Builder(), address).end()

const isAddress = (value: Value): value is StdAddress =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'std'

const asSlice = (value: Value): Cell | null => {
  if (isAddress(value)) return addressCell(value)
  return typeof value === 'object' && value !== null && 'slice' in value ? value.slice : null
}

function push(value: Value): Step {
  if (typeof value === 'bigint') return { int: value }
  if (value === null) return { hex: PUSHNULL }
  const slice = asSlice(value)
  return slice === null ? { hex: PUSHREF, ref: value as Cell } : { hex: PUSHREFSLICE, ref: slice }
}

/** Takes the topmost value and insists on it. */
function insist(value: Value): Step[] {
  const slice = value === null ? null : asSlice(value)
  if (slice !== null) return [{ hex: PUSHREFSLICE, ref: slice }, { hex: SDEQ + THROWIFNOT_55 }]
  if (typeof value === 'bigint') return [{ int: value }, { hex: EQUAL + THROWIFNOT_55 }]
  const hash = BigInt(`0x${hashToHex((value as Cell).hash())}`)
  return [{ hex: HASHCU }, { int: hash }, { hex: EQUAL + THROWIFNOT_55 }]
}

function assemble(steps: readonly Step[]): Cell {
  return steps.reduceRight((next, { hex = '', int, ref }) => {
    const builder = beginCell().storeBytes(Buffer.from(hex, 'hex'))
    // PUSHINT of 259 bits, the sign in front.
    if (int !== undefined)
      builder
        .storeUint(0x82, 8)
        .storeUint(30, 5)
        .storeInt(int < 0n ? -1 : 0, 2)
        .storeInt(int, 257)
    if (ref !== undefined) builder.storeRef(ref)
    return builder.storeRef(next).end()
  }, beginCell().end())
}

function methodCode({ args = [], results = [], code = '' }: MadeMethod): Cell {
  const requested = [...args].reverse().flatMap(insist)
  return assemble([
    { hex: DROP },
    ...requested,
    { hex: CLEAR },
    ...results.map(push),
    ...[code].flat().map((hex) => ({ hex })),
  ])
}

const methodId = (name: string): number => crc16(Buffer.from(name)) | 0x10000

/** Code of a contract that has these methods; any other ends with exit code 11. */
export function madeCode(methods: Readonly<Record<string, MadeMethod>>): Cell {
  // DROP THROW 11
  let rest = beginCell().storeUint(0x30f20b, 24).end()
  for (const [name, method] of Object.entries(methods)) {
    // DUP, PUSHINT of 19 bits, EQUAL, PUSHREFCONT, IFJMP
    const select = beginCell().storeUint(0x20, 8).storeUint(0x82, 8).storeUint(0, 5).storeInt(methodId(name), 19)
    rest = select.storeUint(0xba8ae0, 24).storeRef(methodCode(method)).storeRef(rest).end()
  }
  return rest
}

/** An address that is no one's else. */
export const madeAddress = (byte: number): StdAddress => stdAddress(0, new Uint8Array(32).fill(byte))

export const rawOf = ({ workchain, hash }: StdAddress): string => `${workchain}:${Buffer.from(hash).toString('hex')}`
