// Traces composed of others: one begins where another ends, two users share one pool at once, bodies are longer than they
// have to be, messages carry an extra currency or no TON at all.

import { beginCell, type Cell, openCell } from '../../../../server/cell/index.ts'
import { bodyOf, withBody } from './bodies.ts'
import { type Change, renamed } from './changes.ts'
import { possibleBases } from './random.ts'
import type { Base } from './stored.ts'
import { type Hop, hopsOf, type Json, type MadeTrace, mapHops, replaceHop } from './tree.ts'

const SECOND_USER = `0:${'5EC0'.padStart(64, 'D')}`

const accountOf = ({ transaction }: Hop): string => String(transaction?.account)

export const isInternal = ({ message, transaction }: Hop): boolean =>
  message.source !== null && message.destination !== null && transaction !== null

const changeHops = (made: MadeTrace, change: (hop: Hop) => Hop): MadeTrace => ({
  ...made,
  root: mapHops(made.root, change),
})

/** Nothing has to be read to its end. */
function longer(hop: Hop, bits: number, refs: number): Hop {
  const body = bodyOf(hop)
  if (body.isExotic || body.bits + bits > 1023 || body.refs.length + refs > 4) return hop
  const builder = beginCell().storeSlice(openCell(body)).storeUint(0, bits)
  const reference: Cell = beginCell().storeUint(5, 8).end()
  for (let i = 0; i < refs; i++) builder.storeRef(reference)
  return { ...hop, message: withBody(hop.message, builder.end()) }
}

const withCurrency = (hop: Hop): Hop =>
  isInternal(hop) ? { ...hop, message: { ...hop.message, value_extra_currencies: { '100': '77' } } } : hop

/** What a guest does, done by the account a trace ends with; one that the guest deals with cannot be its user as well. */
export function* nested(
  made: MadeTrace,
  guest: MadeTrace,
  canHost: (hop: Hop) => boolean = () => true,
): Generator<MadeTrace> {
  const parties = new Set(hopsOf(guest.root).map(accountOf))
  const isEnd = (hop: Hop): boolean =>
    isInternal(hop) && hop.sent.length === 0 && !parties.has(accountOf(hop)) && canHost(hop)
  const ends = hopsOf(made.root).filter(isEnd)
  for (const end of ends.slice(0, 2)) {
    const { root, interfaces } = renamed(guest, accountOf(guest.root), accountOf(end))
    yield {
      root: replaceHop(made.root, end, () => ({ ...end, sent: root.sent })),
      interfaces: { ...interfaces, ...made.interfaces },
    }
  }
}

/** A second user with wallets of its own does the same with the same pools. */
function shared(made: MadeTrace): MadeTrace {
  const user = accountOf(made.root)
  const wallets = Object.entries(made.interfaces).flatMap(([address, { JettonWallet }]) =>
    JettonWallet?.owner === user ? [address] : [],
  )
  const others = wallets.map((wallet, i) => [wallet, `0:${String(i + 1).padStart(64, 'C')}`] as const)
  const second = [[user, SECOND_USER] as const, ...others].reduce((tree, [from, to]) => renamed(tree, from, to), made)
  const message: Json = {
    ...second.root.message,
    source: user,
    destination: SECOND_USER,
    value: 5_000_000_000,
    fwd_fee: 1,
    ihr_fee: 0,
    ihr_disabled: true,
    bounce: true,
    bounced: false,
    value_extra_currencies: {},
  }
  return {
    root: { ...made.root, sent: [...made.root.sent, { ...second.root, message }] },
    interfaces: { ...made.interfaces, ...second.interfaces },
  }
}

/** Each message in its turn comes without TON, so that its receiver computes nothing. */
export function* withoutTon(made: MadeTrace): Generator<MadeTrace> {
  for (const hop of hopsOf(made.root))
    if (hop !== made.root && isInternal(hop)) {
      const outcome = { aborted: true, compute_exit_code: null, compute_mode: null }
      const transaction = { ...hop.transaction, ...outcome, end_status: hop.transaction?.orig_status }
      const message = { ...hop.message, value: 0, bounce: true }
      yield { ...made, root: replaceHop(made.root, hop, () => ({ message, transaction, sent: [] })) }
    }
}

function* compositionsOf({ name, tree }: Base, guest: Base): Generator<Change> {
  yield [`${name}: bits behind bodies`, changeHops(tree, (hop) => longer(hop, 7, 0))]
  yield [`${name}: a cell behind bodies`, changeHops(tree, (hop) => longer(hop, 0, 1))]
  yield [`${name}: an extra currency`, changeHops(tree, withCurrency)]
  yield [`${name}: with a second user`, shared(tree)]
  for (const made of nested(tree, guest.tree)) yield [`${guest.name} within ${name}`, made]
}

const STRIDE = 53

export function* compositions(): Generator<Change> {
  const bases = possibleBases()
  for (const [at, base] of bases.entries()) {
    const guest = bases[(at * STRIDE + 17) % bases.length]
    if (guest !== undefined) yield* compositionsOf(base, guest)
  }
}
