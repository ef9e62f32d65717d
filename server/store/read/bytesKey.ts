import { textOfBytes } from '../textOfBytes.ts'

/** Bytes as the key of a Map: a text of as many characters. Hex is twice as long, and takes a third longer to make and find. */
export const bytesKey = (bytes: Uint8Array): string => textOfBytes(bytes, 'latin1')
