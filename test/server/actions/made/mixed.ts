// Traces that mix protocols: two or three in one, as one request or one within another, of which something then goes wrong. The same seed gives the same traces.

import { bodyOf, bouncedBody, withBody } from './bodies.ts'
import { changesOf, together } from './changes.ts'
import { isInternal, nested } from './compositions.ts'
import { type Draw, drawFrom, possibleBases } from './random.ts'
import type { Base, MadeFile } from './stored.ts'
import { fileOf, type Hop, hopsOf, type Json, type MadeTrace, mapHops, replaceHop } from './tree.ts'

type Way = (made: MadeTrace, draw: Draw) => MadeTrace

const pick = <T>(list: readonly T[], draw: Draw): T | undefined => list[draw(list.length)]

const atOne =
  (change: (hop: Hop, draw: Draw) => Hop): Way =>
  (made, draw) => {
    const hop = pick(
      hopsOf(made.root).filter((one) => one !== made.root && isInternal(one)),
      draw,
    )
    return hop === undefined ? made : { ...made, root: replaceHop(made.root, hop, (one) => change(one, draw)) }
  }

/** The message comes back without what its way has cost; one without enough for that stays. */
function comesBack({ message, transaction, sent }: Hop, outcome: Json): Hop {
  const lost = { ...transaction, ...outcome, aborted: true, end_status: outcome.end_status ?? transaction?.orig_status }
  const value = Number(message.value) - 400_000
  const back: Hop = {
    message: withBody(
      {
        ...message,
        source: message.destination,
        destination: message.source,
        value,
        bounce: false,
        bounced: true,
        value_extra_currencies: {},
      },
      bouncedBody(bodyOf({ message, transaction, sent })),
    ),
    transaction: { ...transaction, account: message.source, aborted: false, compute_exit_code: 0, compute_mode: 0 },
    sent: [],
  }
  return { message, transaction: lost, sent: message.bounce === true && value > 0 ? [back] : [] }
}

const FROZEN: Json = { orig_status: 'frozen', end_status: 'frozen', compute_exit_code: null, compute_mode: null }
const EXIT_CODES = [2, 9, 37, 47, 65535, -14, 709] as const

const WAYS: Readonly<Record<string, Way>> = {
  'a frozen account': atOne((hop) => comesBack(hop, FROZEN)),
  'a failure': atOne((hop, draw) =>
    comesBack(hop, { compute_exit_code: pick(EXIT_CODES, draw) ?? 2, compute_mode: 0 }),
  ),
  'a failure of all that is sent': atOne((hop) => ({
    ...hop,
    transaction: { ...hop.transaction, aborted: true, compute_exit_code: 0 },
    sent: [],
  })),
  'next to no TON': atOne((hop, draw) => ({ ...hop, message: { ...hop.message, value: draw(3) } })),
  'too little for gas': atOne((hop, draw) =>
    comesBack({ ...hop, message: { ...hop.message, value: draw(9) } }, { compute_exit_code: null, compute_mode: null }),
  ),
  'all of the rest': (made) => ({
    ...made,
    root: mapHops(made.root, (hop) => ({
      ...hop,
      sent: hop.sent.map((next) =>
        isInternal(hop) && isInternal(next) && hop.sent.length === 1
          ? { ...next, message: { ...next.message, value: Math.max(0, Number(hop.message.value) - 2_000_000) } }
          : next,
      ),
    })),
  }),
  'cut short': atOne((hop) => ({ ...hop, sent: [] })),
  'without bounces': (made) => ({
    ...made,
    root: mapHops(made.root, (hop) => (isInternal(hop) ? { ...hop, message: { ...hop.message, bounce: false } } : hop)),
  }),
  'children in another order': atOne((hop) => ({ ...hop, sent: hop.sent.toReversed() })),
  'another change': (made, draw) => pick([...changesOf(made)], draw)?.[1] ?? made,
}

/** Recorded on the main network: the addresses of the others are the same in several. */
const isRecorded = ({ name }: Base): boolean => /-\d\d$/.test(name)
/** Some messages name accounts without their workchain. */
const isOfBasechain = ({ tree }: Base): boolean =>
  hopsOf(tree.root).every(({ transaction }) => transaction === null || String(transaction.account).startsWith('0:'))

/** What acts for a user, and did. */
const isUser =
  ({ interfaces }: MadeTrace) =>
  ({ transaction }: Hop): boolean =>
    transaction?.aborted === false && Object.keys(interfaces[String(transaction.account)] ?? {}).length === 0

function combined(one: MadeTrace, other: MadeTrace, draw: Draw): MadeTrace {
  const way = draw(3)
  if (way === 0) return pick([...nested(one, other, isUser(one))], draw) ?? together(one, other)
  return way === 1 ? together(other, one) : together(one, other)
}

export function* mixedTraces(seed: string, count: number): Generator<MadeFile> {
  const draw = drawFrom(seed)
  const bases = possibleBases().filter(isOfBasechain)
  const recorded = bases.filter(isRecorded)
  const all = bases
  const names = Object.keys(WAYS)
  for (let made = 0; made < count; made++) {
    const lists = [all, ...Array.from({ length: 1 + draw(2) }, () => recorded)]
    // Once each: a wallet has one owner.
    const parts = [...new Set(lists.map((list) => pick(list, draw)))].filter((base) => base !== undefined)
    const [first, ...others] = parts
    if (first === undefined) return
    let tree = others.reduce((sum, { tree: next }) => combined(sum, next, draw), first.tree)
    let name = parts.map((base) => base.name).join(' with ')
    for (let left = 1 + draw(2); left > 0; left--) {
      const way = pick(names, draw) ?? 'cut short'
      tree = WAYS[way]?.(tree, draw) ?? tree
      name += `, ${way}`
    }
    yield { name: `${seed} ${made}: ${name}`, file: fileOf(tree) }
  }
}
