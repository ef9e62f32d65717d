// A tree of cells: bits as hex, references below, and the same bits as text, address or number.

import { useEffect, useState } from 'preact/hooks'
import { counted } from '../../../shared/explorer/counted.ts'
import { toHex } from '../../../shared/hex.ts'
import { Address } from '../parts/Address.tsx'
import { Copy } from '../parts/Copy.tsx'
import { useFolded } from '../parts/useFolded.ts'
import { guessesOf } from './guesses.ts'
import { type BagCell, hashOf, hexOfCell } from './readBag.ts'

/** Levels that are open at first, and references of one cell that are drawn in all. */
const OPEN_DEPTH = 3

function CellHash({ cell, what }: { readonly cell: BagCell; readonly what: string }) {
  const [hash, setHash] = useState<string | null>(null)
  useEffect(() => {
    // Another bag can be shown in its place before it is computed.
    let isCurrent = true
    const show = (words: string | null): void => {
      if (isCurrent) setHash(words)
    }
    show(null)
    hashOf(cell).then(
      (found) => show(found === null ? 'depends on exotic cells' : toHex(found)),
      () => show('this browser computes hashes on secure pages only'),
    )
    return () => {
      isCurrent = false
    }
  }, [cell])
  return (
    <p class="cell-hash">
      <span class="quiet">Hash</span> <code>{hash ?? '…'}</code>{' '}
      {hash !== null && hash.length === 64 && <Copy text={hash} what={what} />}
    </p>
  )
}

const KINDS = {
  pruned: 'pruned branch',
  library: 'library',
  proof: 'Merkle proof',
  update: 'Merkle update',
  unknown: 'unknown kind',
} as const

interface CellNodeProps {
  readonly cell: BagCell
  readonly depth: number
  /** For readers of the screen: which cell it is, by the numbers of the references that lead to it, and of what. */
  readonly at: string
  readonly of: string
}

function CellNode({ cell, depth, at, of }: CellNodeProps) {
  const [open, fold] = useFolded(`cell ${at}${of}`, depth < OPEN_DEPTH)
  const [more, setMore] = useState(false)
  const hex = hexOfCell(cell)
  const name = `${at === '' ? 'the root' : `cell ${at}`}${of}`
  const which = <span class="for-readers"> {name}</span>
  const size = `${counted(cell.bits, 'bit')}${cell.refs.length === 0 ? '' : `, ${counted(cell.refs.length, 'reference')}`}`
  return (
    <li class="cell">
      <div class="cell-line">
        <code class="cell-bits">
          x{'{'}
          {hex}
          {'}'}
        </code>
        <span class="quiet cell-size">
          {size}
          {cell.exotic !== null && ` · ${KINDS[cell.exotic]}`}
        </span>
        <button type="button" class="second small" aria-expanded={more} onClick={() => setMore(!more)}>
          Read as …{which}
        </button>
      </div>
      {more && (
        <div class="cell-more">
          {guessesOf(cell).map(({ name: kind, text, address }) => (
            <p key={kind}>
              <span class="quiet">{kind}</span>{' '}
              {address === undefined ? <code>{text}</code> : <Address of={address} full />}
            </p>
          ))}
          <CellHash cell={cell} what={`hash of ${name}`} />
        </div>
      )}
      {cell.refs.length > 0 && (
        <details {...fold}>
          <summary>
            {counted(cell.refs.length, 'reference')}
            {which}
          </summary>
          {open && (
            <ul>
              {cell.refs.map((ref, index) => (
                // The same cell can be referred to twice.
                <CellNode
                  key={String(index)}
                  cell={ref}
                  depth={depth + 1}
                  at={at === '' ? `${index + 1}` : `${at}.${index + 1}`}
                  of={of}
                />
              ))}
            </ul>
          )}
        </details>
      )}
    </li>
  )
}

/** `of`: what the cells are of, such as ` of the code`, where a page can show more than one tree. */
export const CellTreeView = ({ root, of = '' }: { readonly root: BagCell; readonly of?: string }) => (
  <ul class="cells">
    <CellNode cell={root} depth={0} at="" of={of} />
  </ul>
)
