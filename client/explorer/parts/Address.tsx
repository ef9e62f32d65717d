// An account as a link: its name, or its address with the middle cut by the stylesheet, so that a selection copies all of it.

import { accountPath, friendlyForm, nameOf } from '../accountNames.ts'
import { href } from '../router.ts'
import { Copy } from './Copy.tsx'

const CELLS = 4

/** A cell and its mirror image: one element for all of them, as lists have thousands. */
const squares = (x: number, y: number): string => `M${x} ${y}h1v1h-1zM${3 - x} ${y}h1v1h-1z`

/** A pattern of the address: distinguishes accounts that begin alike. */
function Identicon({ raw }: { readonly raw: string }) {
  const digits = raw.slice(-8)
  const bits = Number.parseInt(digits, 16)
  const cells = Array.from({ length: CELLS * 2 }, (_, at) => ((bits >> at) & 1 ? at : -1)).filter((at) => at >= 0)
  return (
    <svg class={`identicon hue-${(bits >>> 8) % 8}`} viewBox="0 0 4 4" aria-hidden="true">
      <path d={cells.map((at) => squares(at % 2, Math.floor(at / 2))).join('')} />
    </svg>
  )
}

export interface AddressProps {
  /** Raw form. */
  readonly of: string | null | undefined
  /** With a button to copy it. */
  readonly copy?: boolean
  /** Never its name. */
  readonly full?: boolean
}

export function Address({ of: raw, copy = false, full = false }: AddressProps) {
  if (!raw) return <span class="quiet">none</span>
  const friendly = friendlyForm(raw)
  const known = nameOf(raw)
  const name = full ? null : known
  return (
    <span class="address" data-address={raw}>
      <Identicon raw={raw} />
      <a href={href(accountPath(raw))} title={friendly}>
        {name ?? <Shortened text={friendly} />}
      </a>
      {copy && <Copy text={friendly} what={`address ${known === null ? `…${friendly.slice(-4)}` : `of ${known}`}`} />}
    </span>
  )
}

/** All of a text is there, to be copied and found; its middle is not shown. */
export const Shortened = ({ text }: { readonly text: string }) => (
  <span class="shortened" data-end={text.slice(-4)}>
    <span>{text}</span>
  </span>
)
