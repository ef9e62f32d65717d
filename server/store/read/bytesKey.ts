import { textOfBytes } from '../textOfBytes.ts'

/** Bytes as the key of a Map: a text of as many characters. Hex is twice as long, and takes a third longer to make and find. */
export const bytesKey = (bytes: Uint8Array): string => textOfBytes(bytes, 'latin1')

/** Without duplicates, in the order of the first of each. */
export const distinctValues = (values: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(values.map((value) => [bytesKey(value), value])).values(),
]
