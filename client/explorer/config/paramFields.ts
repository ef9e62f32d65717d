// Names of the parameters of the network configuration, and the fields of those that are plain records.

import { type CellReader, tryRead } from '../cell/cellReader.ts'
import type { BagCell } from '../cell/readBag.ts'

export type ParamField = readonly [
  name: string,
  value: string | { readonly nanotons: bigint } | { readonly account: string },
]

type Kind =
  | 'u8'
  | 'u16'
  | 'u32'
  | 'u64'
  | 'nanotons'
  | 'coins'
  | 'account'
  | 'i32'
  | 'price'
  | 'flag'
  | 'share'
  | 'factor'
  | 'seconds'

interface Description {
  readonly name: string
  /** Tag of the record in bits, when it has one. */
  readonly tag?: readonly [width: number, value: bigint]
  readonly fields?: readonly (readonly [name: string, kind: Kind])[]
}

const gasFields = [
  ['Price of gas', 'price'],
  ['Gas limit', 'u64'],
  ['Gas limit of special accounts', 'u64'],
  ['Gas for external messages', 'u64'],
  ['Gas limit of a block', 'u64'],
  ['Debt that freezes', 'nanotons'],
  ['Debt that deletes', 'nanotons'],
] as const

const forwardFields = [
  ['Price of a message', 'nanotons'],
  ['Price of a bit', 'price'],
  ['Price of a cell', 'price'],
  ['IHR factor', 'factor'],
  ['Share of the first shard', 'share'],
  ['Share of the next shard', 'share'],
] as const

const set = (name: string): Description => ({ name })

const PARAMS: Readonly<Record<number, Description>> = {
  0: { name: 'Configuration contract', fields: [['Account', 'account']] },
  1: { name: 'Elector', fields: [['Account', 'account']] },
  2: { name: 'Minter of extra currencies', fields: [['Account', 'account']] },
  3: { name: 'Fee collector', fields: [['Account', 'account']] },
  4: { name: 'Root of DNS', fields: [['Account', 'account']] },
  5: set('Burning of fees'),
  6: {
    name: 'Prices of minting',
    fields: [
      ['New currency', 'coins'],
      ['More of a currency', 'coins'],
    ],
  },
  7: set('Extra currencies'),
  8: {
    name: 'Version',
    tag: [8, 0xc4n],
    fields: [
      ['Version', 'u32'],
      ['Capabilities', 'u64'],
    ],
  },
  9: set('Parameters that must exist'),
  10: set('Parameters that take more votes'),
  11: set('Voting on proposals'),
  12: set('Workchains'),
  13: {
    name: 'Prices of complaints',
    tag: [8, 0x1an],
    fields: [
      ['Deposit', 'coins'],
      ['Price of a bit', 'coins'],
      ['Price of a cell', 'coins'],
    ],
  },
  14: {
    name: 'Rewards of blocks',
    tag: [8, 0x6bn],
    fields: [
      ['Masterchain', 'coins'],
      ['Basechain', 'coins'],
    ],
  },
  15: {
    name: 'Times of elections',
    fields: [
      ['Validators work for', 'seconds'],
      ['Elections begin before', 'seconds'],
      ['Elections end before', 'seconds'],
      ['Stakes are held for', 'seconds'],
    ],
  },
  16: {
    name: 'Numbers of validators',
    fields: [
      ['Most', 'u16'],
      ['Most of the masterchain', 'u16'],
      ['Least', 'u16'],
    ],
  },
  17: {
    name: 'Stakes',
    fields: [
      ['Least', 'coins'],
      ['Most', 'coins'],
      ['Least in all', 'coins'],
      ['Greatest ratio', 'factor'],
    ],
  },
  18: set('Prices of storage'),
  19: { name: 'Global id', fields: [['Id', 'i32']] },
  20: { name: 'Gas of the masterchain', tag: [8, 0xd1n] },
  21: { name: 'Gas of the basechain', tag: [8, 0xd1n] },
  22: set('Limits of masterchain blocks'),
  23: set('Limits of basechain blocks'),
  24: { name: 'Messages of the masterchain', tag: [8, 0xean], fields: forwardFields },
  25: { name: 'Messages of the basechain', tag: [8, 0xean], fields: forwardFields },
  28: set('Catchain'),
  29: set('Consensus'),
  30: set('Simplex consensus'),
  31: set('Accounts without fees'),
  32: set('Previous validators'),
  33: set('Previous validators, temporary keys'),
  34: set('Current validators'),
  35: set('Current validators, temporary keys'),
  36: set('Next validators'),
  37: set('Next validators, temporary keys'),
  39: set('Temporary keys'),
  40: set('Punishment of validators'),
  43: set('Limits of sizes'),
  44: set('Suspended accounts'),
  45: set('Precompiled contracts'),
  71: set('Bridge to Ethereum'),
  72: set('Bridge to BNB chain'),
  73: set('Bridge to Polygon'),
  79: set('Token bridge to Ethereum'),
  81: set('Token bridge to BNB chain'),
  82: set('Token bridge to Polygon'),
}

export const paramName = (number: number): string => PARAMS[number]?.name ?? (number < 0 ? 'Set by voting' : 'No name')

const TAG_BITS = 8
const FACTOR = 65_536

const decimal = (value: number): string => String(Number(value.toPrecision(6)))

function readField(reader: CellReader, kind: Kind): ParamField[1] {
  if (kind === 'nanotons') return { nanotons: reader.uint(64) }
  if (kind === 'coins') return { nanotons: reader.varUint(4) }
  if (kind === 'account') return { account: `-1:${reader.uint(256).toString(16).padStart(64, '0').toUpperCase()}` }
  if (kind === 'i32') return String(reader.int(32))
  if (kind === 'flag') return reader.bit() === 1 ? 'yes' : 'no'
  if (kind === 'seconds') return `${reader.uint(32)} s`
  if (kind === 'price') return `${decimal(Number(reader.uint(64)) / FACTOR)} nanotons`
  if (kind === 'share') return `${decimal((Number(reader.uint(16)) / FACTOR) * 100)}%`
  if (kind === 'factor') return decimal(Number(reader.uint(32)) / FACTOR)
  return String(reader.uint(Number(kind.slice(1))))
}

/** Gas prices have a part for the first gas in front, which every network of today has. */
function gas(reader: CellReader): readonly ParamField[] {
  const tag = reader.uint(TAG_BITS)
  if (tag !== 0xd1n) return []
  const first: ParamField[] = [
    ['First gas', String(reader.uint(64))],
    ['Price of the first gas', { nanotons: reader.uint(64) }],
  ]
  const inner = reader.uint(TAG_BITS)
  const hasSpecial = inner === 0xden
  return [
    ...first,
    ...gasFields
      .filter(([name]) => hasSpecial || name !== 'Gas limit of special accounts')
      .map(([name, kind]): ParamField => [name, readField(reader, kind)]),
  ]
}

/** Fields of a parameter; null where its form is not a plain record, or another than this knows. */
export function paramFields(number: number, cell: BagCell): readonly ParamField[] | null {
  const known = PARAMS[number]
  return tryRead(cell, (reader) => {
    if (number === 20 || number === 21) return gas(reader)
    if (known?.fields === undefined) return null
    if (known.tag !== undefined && reader.uint(known.tag[0]) !== known.tag[1]) return null
    return known.fields.map(([name, kind]): ParamField => [name, readField(reader, kind)])
  })
}
