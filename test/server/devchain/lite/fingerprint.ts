// One text for everything a verified value says, to see whether two say the same.

import { Cell, Dict } from '../../../../server/cell/index.ts'

const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (value instanceof Cell) return `cell ${value.hashHex()}`
  if (value instanceof Dict) return `dictionary ${value.root?.hashHex() ?? 'empty'}`
  if (value instanceof Map) return [...value].map(([key, one]) => [plain(key), plain(one)])
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
  return value ?? null
}

export const fingerprint = (value: unknown): string => JSON.stringify(plain(value))
