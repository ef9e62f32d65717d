// Traces that never hung together: messages of recorded traces put behind each other at random, to parties of any of them, in any order,
// cut short or with huge amounts. The same seed gives the same traces.

import { type Builder, beginCell, type Cell, openCell } from '../../../../server/cell/index.ts'
import { bodyOf, withAmount, withBody } from './bodies.ts'
import { type Draw, drawFrom, possibleBases } from './random.ts'
import type { MadeFile } from './stored.ts'
import { fileOf, type Hop, hopsOf, type Json, type MadeTrace } from './tree.ts'

const pick = <T>(list: readonly T[], draw: Draw): T => list[draw(list.length)] as T

const AMOUNTS = [0n, 1n, 10n ** 9n, 2n ** 64n, 2n ** 120n - 1n] as const
const VALUES = [0, 1, 400_000, 1_000_000_000, 4_999_999_999_000_000_000] as const

function cut(body: Cell, draw: Draw): Cell {
  const builder: Builder = beginCell().storeBits(openCell(body).loadBits(draw(body.bits + 1)))
  for (const ref of body.refs.slice(0, draw(body.refs.length + 1))) builder.storeRef(ref)
  return builder.end()
}

/** Mostly as it was. */
function changedBody(body: Cell, draw: Draw): Cell {
  const way = draw(10)
  if (body.isExotic || way > 2) return body
  return way === 0 ? cut(body, draw) : (withAmount(body, pick(AMOUNTS, draw)) ?? body)
}

const INTERNAL = 0x178d4519
const LOCKED = 0xb2583ed5
const TRANSFER = 0x0f8a7ea5
const BURN = 0x595f07bc

/** Wallets of a known master take jettons of their own kind, and orders of their owner. */
function isRefused(
  { source, destination, opcode }: Json,
  known: MadeTrace['interfaces'],
  isElsewhere: boolean,
): boolean {
  const wallet = known[String(destination)]?.JettonWallet
  const sender = known[String(source)]?.JettonWallet
  if (wallet === undefined) return false
  const operation = Number(opcode) >>> 0
  // One that sends to itself moves nothing.
  if (operation === INTERNAL || operation === LOCKED)
    return source === destination || (source !== wallet.jetton && sender?.jetton !== wallet.jetton)
  if (operation === TRANSFER || operation === BURN) return source !== wallet.owner
  // Other words than it was sent are none that it knows.
  return isElsewhere
}

const outcomeOf = ({ transaction }: Hop, refused: boolean, draw: Draw): Json => {
  const common = { ...transaction }
  const way = refused ? 0 : draw(10)
  if (way > 1) return common
  const code = way === 0 ? { compute_exit_code: 9, compute_mode: 0 } : { compute_exit_code: null, compute_mode: null }
  return { ...common, ...code, aborted: true, end_status: transaction?.orig_status }
}

/** Most messages follow those that they followed, and go where they went. */
function shuffled(traces: readonly MadeTrace[], draw: Draw): MadeTrace {
  const all = traces.flatMap(({ root }) => hopsOf(root)).filter(({ message }) => message.source !== null)
  const accounts = all.flatMap(({ transaction }) => (transaction === null ? [] : [String(transaction.account)]))
  const interfaces = Object.assign({}, ...traces.map((one) => one.interfaces)) as MadeTrace['interfaces']
  let left = 4 + draw(24)
  const madeOf = (hop: Hop, source: string, depth: number): Hop => {
    const isLog = hop.transaction === null
    const destination = isLog ? null : draw(4) === 0 ? pick(accounts, draw) : String(hop.transaction.account)
    const value = draw(4) === 0 ? pick(VALUES, draw) : hop.message.value
    const message = withBody(
      { ...hop.message, source, destination, ...(!isLog && { value }) },
      changedBody(bodyOf(hop), draw),
    )
    if (destination === null) return { message, transaction: null, sent: [] }
    const refused = isRefused(message, interfaces, destination !== hop.transaction?.account)
    const transaction: Json = { ...outcomeOf(hop, refused, draw), account: destination }
    const wanted = hop.sent.filter(() => draw(5) > 0)
    if (draw(4) === 0) wanted.push(pick(all, draw))
    if (draw(6) === 0) wanted.reverse()
    const sent = transaction.aborted === true || depth > 12 ? [] : wanted.filter(() => left-- > 0)
    return { message, transaction, sent: sent.map((next) => madeOf(next, destination, depth + 1)) }
  }
  const [first] = traces
  if (first === undefined) throw new Error('no traces')
  const source = String(first.root.transaction?.account)
  const starts = [...first.root.sent, ...Array.from({ length: 1 + draw(3) }, () => pick(all, draw))]
  return { root: { ...first.root, sent: starts.map((hop) => madeOf(hop, source, 0)) }, interfaces }
}

export function* shuffledTraces(seed: string, count: number): Generator<MadeFile> {
  const draw = drawFrom(seed)
  const bases = possibleBases().filter(({ tree }) => tree.root.message.source === null && tree.root.sent.length > 0)
  for (let made = 0; made < count; made++) {
    const parts = Array.from({ length: 1 + draw(3) }, () => pick(bases, draw))
    const tree = shuffled(
      parts.map((base) => base.tree),
      draw,
    )
    yield { name: `${seed} ${made}: ${parts.map(({ name }) => name).join(' with ')}`, file: fileOf(tree) }
  }
}
