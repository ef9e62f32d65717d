// A bag of cells from the chain as a tree.

import { Trouble } from '../parts/Empty.tsx'
import { CellTreeView } from './CellTreeView.tsx'
import { BagError, bytesOfText, readBag } from './readBag.ts'

/** `subject` is base64; `of` says what it is, such as ` of the code`. */
export function Cells({ subject, of }: { readonly subject: string; readonly of: string }) {
  try {
    const { roots } = readBag(bytesOfText(subject))
    return (
      <>
        {roots.map((root, at) => (
          <CellTreeView key={String(at)} root={root} of={of} />
        ))}
      </>
    )
  } catch (error) {
    if (error instanceof BagError) return <Trouble error={error.message} />
    throw error
  }
}
