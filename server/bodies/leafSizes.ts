// What readers and writers of fields agree on.

export interface Size {
  readonly kind: 'uint' | 'int' | 'bits'
  readonly bits: number
}

/** Bits of `uint64`, `int32` and `bits256`; null for other words. */
export function leafSizeOf(word: string): Size | null {
  const [, kind, digits] = /^(uint|int|bits)(\d+)$/.exec(word) ?? []
  if (kind !== 'uint' && kind !== 'int' && kind !== 'bits') return null
  const bits = Number(digits)
  if (kind === 'bits' && bits % 8 !== 0) throw new Error(`${word} are no whole bytes`)
  return { kind, bits }
}

/** Whether values of so many bits are exact as a number; others are bigint. */
export const isExact = (bits: number): boolean => bits <= 53

/** Bits of the kind in front of an asset, of exchanges that name TON and jettons so. */
export const ASSET_BITS: Readonly<Record<string, number>> = { DedustAsset: 4, CoffeeAsset: 2 }

/** What the kind in front of an asset is. */
export const NATIVE_ASSET = 0
export const JETTON_ASSET = 1

/** `query_id` is `queryId` in the code. */
export const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
