// Traces made at random: a recorded one, with two or three changes chosen at random. The same
// seed gives the same traces.

import { createHash } from 'node:crypto'
import { bodyOf, withAmount, withBody } from './bodies.ts'
import { type Change, changesOf } from './changes.ts'
import { allBases, type Base, type MadeFile } from './stored.ts'
import { fileOf, type Hop, hopsOf, type MadeTrace, mapHops, replaceHop } from './tree.ts'

/** A number below `count`, each time another. */
export type Draw = (count: number) => number

export function drawFrom(seed: string): Draw {
  let drawn = 0
  return (count) => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() % count
}

const AMOUNTS = [0n, 1n, 999_999n, 10n ** 9n, 7n * 10n ** 14n, 2n ** 63n, 10n ** 31n] as const
const VALUES = [0, 1, 50_000_000, 3_000_000_000, 99_000_000_000] as const

/** Each amount of jettons for itself, so that a request says another one than what it leads to. */
const amountsApart = (made: MadeTrace, draw: Draw): MadeTrace => ({
  ...made,
  root: mapHops(made.root, (hop) => {
    const body = draw(5) < 3 ? null : withAmount(bodyOf(hop), AMOUNTS[draw(AMOUNTS.length)] ?? 0n)
    return body === null ? hop : { ...hop, message: withBody(hop.message, body) }
  }),
})

const valuesApart = (made: MadeTrace, draw: Draw): MadeTrace => ({
  ...made,
  root: mapHops(made.root, (hop) =>
    hop.message.source === null || hop.message.destination === null || draw(5) < 3
      ? hop
      : { ...hop, message: { ...hop.message, value: VALUES[draw(VALUES.length)] } },
  ),
})

const sentAgain = (made: MadeTrace, sender: Hop, again: Hop): MadeTrace => ({
  ...made,
  root: replaceHop(made.root, sender, () => ({ ...sender, sent: [...sender.sent, again] })),
})

/** The trace with one message sent again, for each of its messages. */
export const eachTwice = (made: MadeTrace): MadeTrace[] =>
  hopsOf(made.root).flatMap((sender) => sender.sent.map((again) => sentAgain(made, sender, again)))

/** One message is sent again. */
function doubled(made: MadeTrace, draw: Draw): MadeTrace {
  const senders = hopsOf(made.root).filter(({ sent }) => sent.length > 0)
  const sender = senders[draw(senders.length)]
  const again = sender?.sent[draw(sender.sent.length)]
  return sender === undefined || again === undefined ? made : sentAgain(made, sender, again)
}

function changed(made: MadeTrace, draw: Draw): Change {
  const kind = draw(6)
  if (kind === 0) return ['amounts apart', amountsApart(made, draw)]
  if (kind === 1) return ['values apart', valuesApart(made, draw)]
  if (kind === 2) return ['one message twice', doubled(made, draw)]
  const changes = [...changesOf(made)]
  return changes[draw(changes.length)] ?? ['as it was', made]
}

/** Their wallets take requests from strangers, or are of another jetton than what they hold. */
const IMPOSSIBLE = /^(jetton_swap|dex_)/

export const possibleBases = (): Base[] => allBases().filter(({ name }) => !IMPOSSIBLE.test(name))

export function* randomTraces(seed: string, count: number): Generator<MadeFile> {
  const draw = drawFrom(seed)
  const bases = possibleBases()
  for (let made = 0; made < count; made++) {
    const base = bases[draw(bases.length)]
    if (base === undefined) return
    let { name, tree } = base
    for (let left = 2 + draw(2); left > 0; left--) {
      const [change, next] = changed(tree, draw)
      name += `, ${change}`
      tree = next
    }
    yield { name: `${seed}: ${name}`, file: fileOf(tree) }
  }
}
