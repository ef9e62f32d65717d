// Places for the nodes of a tree: depth to the right, siblings below each other, each parent next to the middle of its
// children, no two nodes of one depth closer than one row. Without recursion: a chain of messages can be thousands long.

export interface LayoutTree<T> {
  readonly value: T
  readonly children: readonly LayoutTree<T>[]
}

export interface Placed<T> {
  readonly value: T
  /** Index of the parent in the list; -1 for the root. */
  readonly parent: number
  readonly depth: number
  /** Rows from the top; siblings can be between two whole rows. */
  readonly row: number
  /** Nodes below that are not shown. */
  readonly hidden: number
}

export interface LayoutOptions<T> {
  /** Nodes whose children are left out. */
  readonly isClosed?: (value: T, depth: number) => boolean
}

interface Visit<T> {
  readonly node: LayoutTree<T>
  readonly parent: number
  readonly depth: number
  readonly hidden: number
}

/** All nodes of a tree, each before its children. */
export function* walk<T>(root: LayoutTree<T>): Generator<LayoutTree<T>> {
  const stack = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = node.children[i]
      if (child !== undefined) stack.push(child)
    }
  }
}

const below = <T>(node: LayoutTree<T>): number => {
  let count = -1
  for (const _ of walk(node)) count++
  return count
}

/** Nodes that are shown, each before its children. */
function shown<T>(root: LayoutTree<T>, isClosed: (value: T, depth: number) => boolean): Visit<T>[] {
  const visits: Visit<T>[] = []
  const stack = [{ node: root, parent: -1, depth: 0 }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, parent, depth } = next
    const closed = node.children.length > 0 && isClosed(node.value, depth)
    const at = visits.push({ node, parent, depth, hidden: closed ? below(node) : 0 }) - 1
    if (!closed)
      for (const child of [...node.children].reverse()) stack.push({ node: child, parent: at, depth: depth + 1 })
  }
  return visits
}

/** The outline of a subtree: its first and last row at each depth below its root, which is at 0. */
interface Outline {
  readonly first: number[]
  readonly last: number[]
}

/** Rows of the children below their parent, as close as their outlines allow; and the outline of all. */
function stacked(children: readonly Outline[]): { readonly rows: number[]; readonly outline: Outline } {
  const outline: Outline = { first: [], last: [] }
  const rows = children.map(({ first, last }) => {
    let row = 0
    for (let d = 0; d < Math.min(first.length, outline.last.length); d++)
      row = Math.max(row, (outline.last[d] ?? 0) + 1 - (first[d] ?? 0))
    first.forEach((top, d) => {
      outline.first[d] ??= top + row
      outline.last[d] = (last[d] ?? 0) + row
    })
    return row
  })
  const middle = ((rows[0] ?? 0) + (rows.at(-1) ?? 0)) / 2
  return {
    rows: rows.map((row) => row - middle),
    outline: {
      first: [0, ...outline.first.map((row) => row - middle)],
      last: [0, ...outline.last.map((row) => row - middle)],
    },
  }
}

/** All nodes, each before its children, without places. */
export const listed = <T>(root: LayoutTree<T>): readonly Pick<Placed<T>, 'value' | 'parent' | 'depth'>[] =>
  shown(root, () => false).map(({ node, parent, depth }) => ({ value: node.value, parent, depth }))

/** The node that is looked for and all above it, from it to the root; empty where there is none. */
export function wayTo<T>(root: LayoutTree<T>, isIt: (value: T) => boolean): readonly T[] {
  const all = listed(root)
  const way: T[] = []
  for (let one = all.find(({ value }) => isIt(value)); one !== undefined; one = all[one.parent]) way.push(one.value)
  return way
}

export function layout<T>(
  root: LayoutTree<T>,
  { isClosed = () => false }: LayoutOptions<T> = {},
): readonly Placed<T>[] {
  const visits = shown(root, isClosed)
  const childrenOf = visits.map((): number[] => [])
  for (const [at, { parent }] of visits.entries()) childrenOf[parent]?.push(at)
  const outlines: Outline[] = []
  /** Of each node, counted from its parent. */
  const offsets = visits.map(() => 0)
  for (let at = visits.length - 1; at >= 0; at--) {
    const children = childrenOf[at] ?? []
    const { rows, outline } = stacked(children.map((child) => outlines[child] ?? { first: [0], last: [0] }))
    for (const [i, child] of children.entries()) offsets[child] = rows[i] ?? 0
    outlines[at] = outline
    // Only the outlines of nodes without a place yet are needed.
    for (const child of children) delete outlines[child]
  }
  const rows: number[] = []
  for (const [at, { parent }] of visits.entries()) rows[at] = (rows[parent] ?? 0) + (offsets[at] ?? 0)
  const top = rows.reduce((least, row) => Math.min(least, row), 0)
  return visits.map(({ node, parent, depth, hidden }, at) => ({
    value: node.value,
    parent,
    depth,
    row: (rows[at] ?? 0) - top,
    hidden,
  }))
}
