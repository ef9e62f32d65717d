import { fromBase64 } from '../../../shared/base64.ts'
import { counted } from '../../../shared/explorer/counted.ts'

/** Bytes of a bag, and its cells as the header counts them. */
export function bagSizeText(boc: string): string {
  const bytes = Math.floor((boc.length * 3) / 4) - (/=*$/.exec(boc)?.[0].length ?? 0)
  const header = fromBase64(boc.slice(0, 16)) ?? new Uint8Array()
  const cells = header.slice(6, 6 + ((header[4] ?? 0) & 7)).reduce((count, byte) => count * 256 + byte, 0)
  return `${bytes} bytes in ${counted(cells, 'cell')}`
}
