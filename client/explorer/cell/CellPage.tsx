// Any bag of cells as a tree.

import { useEffect, useMemo } from 'preact/hooks'
import { toBase64 } from '../../../shared/base64.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { decodedBody } from '../../../shared/explorer/toolQueries.ts'
import { useKept } from '../keptText.ts'
import { Copy } from '../parts/Copy.tsx'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import { JsonView } from '../parts/JsonView.tsx'
import { go, place } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import { CellTreeView } from './CellTreeView.tsx'
import { type Bag, BagError, bytesOfText, readBag } from './readBag.ts'

type Found = { readonly bag: Bag; readonly bytes: Uint8Array } | { readonly wrong: string }

function found(text: string): Found {
  try {
    const bytes = bytesOfText(text)
    return { bag: readBag(bytes), bytes }
  } catch (error) {
    if (error instanceof BagError) return { wrong: error.message }
    throw error
  }
}

/** The same as the body of a message, where the service knows its scheme. */
function Decoded({ boc }: { readonly boc: string }) {
  const { data, error } = useReplies([decodedBody(boc)])
  if (data === null && error === null) return <Waiting />
  const body = data?.[0].bodies[0]
  if (body === undefined || 'error' in body) return null
  return (
    <section>
      <h2>As the body of a message</h2>
      <JsonView value={body} open={4} />
    </section>
  )
}

function Tree({ bag, bytes }: { readonly bag: Bag; readonly bytes: Uint8Array }) {
  const boc = toBase64(bytes)
  return (
    <>
      <div class="bar">
        <span class="quiet">
          {bytes.length} bytes · {counted(bag.cells, 'cell')}
        </span>
        <Copy text={boc} what="bag of cells in base64" label="Copy base64" />
        <Copy
          text={[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}
          what="bag of cells in hex"
          label="Copy hex"
        />
      </div>
      {bag.roots.map((root, at) => (
        <CellTreeView key={String(at)} root={root} of={bag.roots.length > 1 ? ` of tree ${at + 1}` : ''} />
      ))}
      {bag.roots.length === 1 && <Decoded boc={boc} />}
    </>
  )
}

export function CellPage() {
  const given = place.value.query.get('boc') ?? ''
  const [text, setText] = useKept('cell', '', (kept) => given || kept)
  // A step within the page may lead to other cells.
  useEffect(() => {
    if (given !== '') setText(given)
  }, [given])
  // Not again for each key in the field.
  const shown = useMemo(() => (given === '' ? null : found(given)), [given])
  return (
    <>
      <h1>Cells</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          go(`/cell?boc=${encodeURIComponent(text.replace(/\s+/g, ''))}`)
        }}
      >
        <div class="field">
          <label for="boc">Bag of cells, base64 or hex</label>
          <textarea
            id="boc"
            rows={4}
            value={text}
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <button type="submit">Show</button>
      </form>
      {shown === null ? (
        <Empty title="Paste a bag of cells: a message, a body, code or data of a contract." />
      ) : 'wrong' in shown ? (
        <Trouble error={shown.wrong} />
      ) : (
        <Tree bag={shown.bag} bytes={shown.bytes} />
      )}
    </>
  )
}
