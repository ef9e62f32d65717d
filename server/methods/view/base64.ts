import { bytesText } from '../../cell/index.ts'

/** The same as `toBase64` of `shared/`, faster with Buffer: a page has hundreds of them. */
export const quickBase64 = (bytes: Uint8Array): string => bytesText(bytes, 'base64')

/** What v2 says of bytes: an empty text for none. */
export const textOrNull = (base64: string): string | null => (base64 === '' ? null : base64)
