// Writes a chain no one ever ran straight into a store: as many rows as requested, as a busy real chain would have them,
// the same ones for the same seed. It holds a few masterchain blocks at a time, and one entry for each account.

import { type Database, type MasterBlockRows, writeMasterBlocks } from '../../server/store/index.ts'
import { CODES, Holders, keyOf } from './filledAccounts.ts'
import { FilledBlock } from './filledBlock.ts'
import { FilledTraces, type Letter, type OpenTrace } from './filledTraces.ts'
import { Random } from './random.ts'

export interface FillPlan {
  readonly transactions: number
  readonly seed?: number
  /** Accounts there may be; one for each twenty transactions unless said. */
  readonly accounts?: number
  /** Masterchain blocks written in one SQL transaction. */
  readonly atOnce?: number
}

/** What was written. */
export interface Filled {
  readonly transactions: number
  readonly firstMcSeqno: number
  readonly lastMcSeqno: number
}

const FIRST_SEQNO = 1000
const BLOCK_SECONDS = 3
const TRANSACTIONS_PER_BLOCK = 40
const SYSTEM = keyOf(-1, new Uint8Array(32))

class Filler {
  readonly random: Random
  readonly holders: Holders
  readonly traces: FilledTraces
  readonly #population: number
  #seqno = FIRST_SEQNO
  /** Messages that wait for the next block. */
  #waiting: Letter[] = []
  written = 0

  constructor({ transactions, seed = 1, accounts }: FillPlan) {
    this.random = new Random(seed)
    this.holders = new Holders(seed)
    this.traces = new FilledTraces()
    this.#population = accounts ?? Math.max(50, Math.floor(transactions / 20))
  }

  /** The rows of the next masterchain blocks. */
  next(count: number, target: number): MasterBlockRows {
    const first = this.#seqno
    const blocks: FilledBlock[] = []
    while (blocks.length < count && this.written < target) blocks.push(this.#block())
    const last = this.#seqno - 1
    const all = <T>(pick: (block: FilledBlock) => readonly T[]): T[] => blocks.flatMap(pick)
    return {
      blocks: all((block) => block.blockRows()),
      shardTops: all((block) => block.topRows()),
      transactions: all((block) => block.transactions),
      messages: all((block) => block.messages),
      accountStates: all((block) => block.stateRows()),
      accounts: this.holders.changed(last),
      codes: first === FIRST_SEQNO ? CODES : [],
      ...this.traces.written(),
      cursor: { network: 'devnet', firstMcSeqno: FIRST_SEQNO, lastMcSeqno: last },
      previous: first === FIRST_SEQNO ? null : first - 1,
    }
  }

  #block(): FilledBlock {
    const block = new FilledBlock(this.#seqno++, this.random, BLOCK_SECONDS)
    for (const index of [-1, -2]) this.#deliver(block, null, this.holders.at(index), this.traces.begin(null))
    this.#deliver(block, ...this.#fee(block))
    let queue = this.#waiting
    this.#waiting = []
    while (queue.length > 0 || block.transactions.length < TRANSACTIONS_PER_BLOCK) {
      if (queue.length === 0) queue = [this.#root(block)]
      const letter = queue.shift()
      if (!letter) break
      for (const sent of this.#deliver(block, letter, letter.to, letter.trace))
        (this.random.chance(0.75) ? queue : this.#waiting).push(sent)
    }
    this.written += block.transactions.length
    return block
  }

  /** What the elector gets of each block. */
  #fee(block: FilledBlock): [Letter, Letter['to'], OpenTrace] {
    const to = this.holders.at(-1)
    const message = block.internal(SYSTEM, to.key, { lt: block.startLt, by: null })
    const trace = this.traces.begin(message)
    return [{ message, to, trace, budget: 1 }, to, trace]
  }

  /** A message from outside, or now and then one the chain itself sends. */
  #root(block: FilledBlock): Letter {
    const to = this.holders.at(this.random.skewedBelow(this.#population))
    const message = this.random.chance(0.02)
      ? block.internal(SYSTEM, to.key, { lt: block.startLt, by: null })
      : block.externalIn(to.key)
    return { message, to, trace: this.traces.begin(message), budget: 1 + this.random.skewedBelow(20) }
  }

  /** One transaction and the messages it sends inside the chain. */
  #deliver(block: FilledBlock, letter: Letter | null, to: ReturnType<Holders['at']>, trace: OpenTrace): Letter[] {
    const { random } = this
    const left = (letter?.budget ?? 1) - 1
    const count = left === 0 ? 0 : Math.min(left, 1 + random.below(3))
    const targets = Array.from({ length: count }, () => this.holders.at(random.skewedBelow(this.#population)))
    const before = to.state.hash
    const lt = block.ltFor(to, letter?.message.createdLt ?? 0n)
    const hash = random.hash()
    this.holders.change(to, random)
    const begun = this.traces.join(trace, { hash, lt, now: block.utime, account: to.key, mcSeqno: block.seqno })
    const messages = targets.map((target, i) =>
      block.internal(to.key, target.key, { lt: lt + BigInt(i + 1), by: { hash, lt } }),
    )
    const logged = random.chance(0.1)
      ? [block.externalOut(to.key, { lt: lt + BigInt(count + 1), by: { hash, lt } })]
      : []
    const inMessage = letter?.message ?? null
    const names = { hash, inMessage, traceId: begun.traceId, traceExternalHash: trace.external }
    block.add(to, { ...names, lt, before }, count + logged.length)
    if (letter) this.traces.consumed(trace, letter.message)
    this.traces.sent(trace, messages, logged.length)
    const share = count === 0 ? 0 : Math.floor(left / count)
    return messages.map((message, i) => ({
      message,
      to: targets[i] ?? to,
      trace,
      budget: i === 0 ? left - share * (count - 1) : share,
    }))
  }
}

/** The rows of some masterchain blocks after another; memory does not grow with their number. */
export function* filledRows(plan: FillPlan): Generator<MasterBlockRows, Filled> {
  const filler = new Filler(plan)
  let lastMcSeqno = FIRST_SEQNO
  while (filler.written < plan.transactions) {
    const rows = filler.next(plan.atOnce ?? 50, plan.transactions)
    lastMcSeqno = rows.cursor.lastMcSeqno
    yield rows
  }
  return { transactions: filler.written, firstMcSeqno: FIRST_SEQNO, lastMcSeqno }
}

/** Fills an empty database. `onProgress` hears how many transactions are in it. */
export async function fill(
  database: Pick<Database, 'transaction'>,
  plan: FillPlan,
  onProgress: (transactions: number) => void = () => {},
): Promise<Filled> {
  const chunks = filledRows(plan)
  let count = 0
  for (;;) {
    const chunk = chunks.next()
    if (chunk.done) return chunk.value
    await database.transaction((to) => writeMasterBlocks(to, chunk.value))
    count += chunk.value.transactions.length
    onProgress(count)
  }
}
