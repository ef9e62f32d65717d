import { hexOf } from '../../../shared/explorer/views.ts'
import { href } from '../router.ts'
import { Shortened } from './Address.tsx'
import { Copy } from './Copy.tsx'

export interface HashProps {
  /** In any form; shown as hex. */
  readonly of: string
  /** Path of the page it leads to, such as `/tx/`. */
  readonly to?: '/tx/' | '/trace/'
  readonly copy?: boolean
  /** What the button copies, where a page has several hashes: `hash of the block`. */
  readonly what?: string
}

/** 32 bytes as hex, shortened on the screen only. */
export function Hash({ of: text, to, copy = true, what = 'hash' }: HashProps) {
  const hex = hexOf(text) ?? text
  return (
    <span class="hash">
      {to === undefined ? (
        <Shortened text={hex} />
      ) : (
        <a href={href(`${to}${hex}`)}>
          <Shortened text={hex} />
        </a>
      )}
      {copy && <Copy text={hex} what={what} />}
    </span>
  )
}
