// Traces in which the body of one or two messages is replaced: by the operation of a known protocol with random bytes behind it,
// with a body cut short, or with huge amounts. The transactions stay as they were. The same seed gives the same traces.

import { beginCell, type Cell, openCell } from '../../../../server/cell/index.ts'
import { bodyOf, renamedIn, withBody } from './bodies.ts'
import type { Change } from './changes.ts'
import { type Draw, drawFrom, possibleBases } from './random.ts'
import type { Base, MadeFile } from './stored.ts'
import { fileOf, type Hop, hopsOf, type MadeTrace, replaceHop } from './tree.ts'

const OPERATION = 32
const MOST_BITS = 1023

/** What follows the operation of a body. */
interface Rest {
  /** As 0 and 1. */
  readonly bits: string
  readonly refs: readonly Cell[]
}

type Lie = (rest: Rest, draw: Draw, other: Cell) => Rest

function bitsBehind(cell: Cell, start: number): string {
  const slice = openCell(cell).skip(start)
  let bits = ''
  while (slice.remainingBits > 0) bits += slice.loadBit() ? '1' : '0'
  return bits
}

const randomBits = (count: number, draw: Draw): string => {
  let bits = ''
  while (bits.length < count)
    bits += draw(2 ** 32)
      .toString(2)
      .padStart(32, '0')
  return bits.slice(0, count)
}

function cellOf(bits: string, refs: readonly Cell[]): Cell {
  const builder = beginCell()
  for (const bit of bits) builder.storeBit(bit === '1')
  for (const ref of refs) builder.storeRef(ref)
  return builder.end()
}

const garbage = (draw: Draw): Rest => ({
  bits: randomBits(draw(MOST_BITS - OPERATION + 1), draw),
  refs: Array.from({ length: draw(5) }, () => cellOf(randomBits(draw(MOST_BITS + 1), draw), [])),
})

/** Numbers of the request and addresses stay where they were. */
const flipped = (bits: string, draw: Draw): string => {
  const at = draw(Math.max(1, bits.length))
  return bits.slice(0, at) + (bits[at] === '1' ? '0' : '1') + bits.slice(at + 1)
}

const LIES: Readonly<Record<string, Lie>> = {
  'nothing behind the operation': () => ({ bits: '', refs: [] }),
  'cut short': ({ bits, refs }, draw) => ({
    bits: bits.slice(0, draw(bits.length + 1)),
    refs: refs.slice(0, draw(refs.length + 1)),
  }),
  'without its cells': ({ bits }) => ({ bits, refs: [] }),
  garbage: (_, draw) => garbage(draw),
  'garbage in its cells': ({ bits, refs }, draw) => ({
    bits,
    refs: refs.map(() => cellOf(garbage(draw).bits, garbage(draw).refs)),
  }),
  'one bit changed': ({ bits, refs }, draw) => ({ bits: bits === '' ? '' : flipped(bits, draw), refs }),
  'the most of everything': ({ bits, refs }) => ({
    bits: bits.slice(0, 64) + '1'.repeat(Math.max(0, bits.length - 64)),
    refs,
  }),
  'its cells in another order': ({ bits, refs }) => ({ bits, refs: refs.toReversed() }),
  "another message's words": (_, __, other) => ({
    bits: bitsBehind(other, Math.min(other.bits, OPERATION)),
    refs: other.refs,
  }),
}

const hasOperation = (hop: Hop): boolean => bodyOf(hop).bits >= OPERATION

function liedIn(body: Cell, lie: Lie, draw: Draw, other: Cell): Cell {
  const operation = openCell(body).preloadUint(OPERATION).toString(2).padStart(OPERATION, '0')
  const { bits, refs } = lie({ bits: bitsBehind(body, OPERATION), refs: body.refs }, draw, other)
  return cellOf(operation + bits, refs)
}

const pick = <T>(list: readonly T[], draw: Draw): T | undefined => list[draw(list.length)]

const STRANGER = `0:${'BAD'.padStart(64, '0')}`

/** One message says another thing. */
function otherWords(tree: MadeTrace, draw: Draw, others: readonly Base[]): Change | null {
  const hops = hopsOf(tree.root)
  const hop = pick(
    hops.filter((one) => one !== tree.root && hasOperation(one)),
    draw,
  )
  const other = pick(hopsOf(pick(others, draw)?.tree.root ?? tree.root).filter(hasOperation), draw)
  const [way, lie] = pick(Object.entries(LIES), draw) ?? []
  if (hop === undefined || other === undefined || lie === undefined) return null
  const body = liedIn(bodyOf(hop), lie, draw, bodyOf(other))
  const root = replaceHop(tree.root, hop, () => ({ ...hop, message: withBody(hop.message, body) }))
  return [`message ${hops.indexOf(hop)} ${way}`, { ...tree, root }]
}

/** One message names another account than it did: a stranger, or another of the trace. */
function otherName(tree: MadeTrace, draw: Draw): Change | null {
  const hops = hopsOf(tree.root)
  const accounts = [...new Set([...Object.keys(tree.interfaces), ...hops.map(accountOf)])].filter((one) => one !== '')
  const hop = pick(
    hops.filter((one) => one !== tree.root),
    draw,
  )
  const from = pick(accounts, draw)
  const to = pick([STRANGER, ...accounts], draw)
  if (hop === undefined || from === undefined || to === undefined) return null
  const named = accounts.find((one) => one !== to && !renamedIn(bodyOf(hop), one, to).equals(bodyOf(hop)))
  const body = renamedIn(bodyOf(hop), named ?? from, to)
  const root = replaceHop(tree.root, hop, () => ({ ...hop, message: withBody(hop.message, body) }))
  return [`message ${hops.indexOf(hop)} names another`, { ...tree, root }]
}

type Known = MadeTrace['interfaces'][string]
type Lied = (known: Known) => Known

const without = (known: Known, name: string): Known =>
  Object.fromEntries(Object.entries(known).filter(([one]) => one !== name))

/** A master that knows none of the wallets: they are what they say themselves, which is nothing. */
const unknownToMaster =
  (jetton: unknown): Lied =>
  (known) =>
    known.JettonWallet?.jetton === jetton ? without(known, 'JettonWallet') : known

const unknownToCollection =
  (collection: unknown): Lied =>
  (known) =>
    known.NftItem?.collection_address === collection ? without(known, 'NftItem') : known

/** What nobody confirms. */
function otherFacts(tree: MadeTrace, draw: Draw): Change | null {
  const all = Object.values(tree.interfaces)
  const lies = [
    ...all.map(
      ({ JettonWallet: wallet }) =>
        wallet && (['a master that knows no wallet', unknownToMaster(wallet.jetton)] as const),
    ),
    ...all.map(
      ({ NftItem: item }) =>
        item && (['a collection that knows no item', unknownToCollection(item.collection_address)] as const),
    ),
  ].filter((lie) => lie !== undefined)
  const [way, lied] = pick(lies, draw) ?? []
  if (way === undefined || lied === undefined) return null
  const entries = Object.entries(tree.interfaces).map(([address, known]) => [address, lied(known)])
  return [way, { ...tree, interfaces: Object.fromEntries(entries) as MadeTrace['interfaces'] }]
}

const accountOf = ({ transaction }: Hop): string => String(transaction?.account ?? '')

export function* tracesThatLie(seed: string, count: number): Generator<MadeFile> {
  const draw = drawFrom(seed)
  const bases = possibleBases()
  for (let made = 0; made < count; made++) {
    const base = pick(bases, draw)
    if (base === undefined) return
    let { name, tree } = base
    for (let left = 1 + draw(3); left > 0; left--) {
      const kind = draw(5)
      const change =
        kind < 3 ? otherWords(tree, draw, bases) : kind === 3 ? otherName(tree, draw) : otherFacts(tree, draw)
      if (change === null) continue
      name += `, ${change[0]}`
      tree = change[1]
    }
    yield { name: `${seed} ${made}: ${name}`, file: fileOf(tree) }
  }
}
