// Public libraries as the TVM takes them. Anybody may publish some, of 127 kB each, and every block, trial and get-method is given all.

import { type Cell, isLargeTree, NO_CRC, writeBoc, writingBoc } from '../../cell/index.ts'
import { inPieces, type Slicing } from '../../fairness/index.ts'
import { type LibrariesForm, shareLibraries } from '../../tvm/index.ts'

const made = new WeakMap<Cell, LibrariesForm>()
const making = new WeakMap<Cell, Promise<LibrariesForm>>()

async function make(root: Cell, slicing: Slicing): Promise<LibrariesForm> {
  const form = shareLibraries(root.hashHex(), await inPieces(writingBoc(root, NO_CRC), slicing))
  made.set(root, form)
  return form
}

/** Written once for each dictionary. A large one is written in slices, into memory that all threads share. */
export function publicLibraries(
  root: Cell | null,
  slicing: Slicing = {},
): LibrariesForm | null | Promise<LibrariesForm> {
  if (root === null) return null
  const known = made.get(root) ?? making.get(root)
  if (known !== undefined) return known
  if (isLargeTree(root)) {
    const begun = make(root, slicing).finally(() => making.delete(root))
    making.set(root, begun)
    return begun
  }
  const form = writeBoc(root, NO_CRC)
  made.set(root, form)
  return form
}
