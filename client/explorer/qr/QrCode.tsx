// A link for wallets on phones, as a QR code and as text.

import type { PageProps } from '../lazyPage.tsx'
import { Copy } from '../parts/Copy.tsx'
import { qrOf } from './qr.ts'

/** Light modules around a code, which readers need. */
const MARGIN = 4

/** `subject` is the address. */
export function QrCode({ subject }: PageProps) {
  const link = `ton://transfer/${subject}`
  const rows = qrOf(link)
  const side = rows.length + 2 * MARGIN
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : [])),
  )
  return (
    <figure class="qr">
      <svg viewBox={`0 0 ${side} ${side}`} role="img" aria-label="QR code of the address" shape-rendering="crispEdges">
        <path class="qr-light" d={`M0 0h${side}v${side}h-${side}z`} />
        <path class="qr-dark" d={dark.join('')} />
      </svg>
      <figcaption>
        <code>{link}</code> <Copy text={link} what="link" />
      </figcaption>
    </figure>
  )
}
