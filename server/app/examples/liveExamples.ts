// Examples that work: the reference pages show parameters taken from the running chain when a page is requested. An example
// without live values keeps those of its definition.

import { setMaxListeners } from 'node:events'
import type { MethodSpec, Registry } from '../../../shared/registry.ts'
import { readBoc } from '../../cell/index.ts'
import { type createCast, messageOf } from '../../demo/index.ts'
import type { Examples } from '../../docs/index.ts'
import { inSlices, ownSignal, SlicedWork } from '../../fairness/index.ts'
import { type Call, NO_MODIFIERS } from '../../methods/index.ts'
import { timeLimit } from '../../process/index.ts'
import { chainDraws, networkDraws, someWallet } from './chainDraws.ts'
import { type AskMethod, type Draw, type DrawnRow, drawnRowsOf, exampleFor, isRow, textAt } from './drawing.ts'
import { stakingDraws } from './stakingDraws.ts'
import { tokenDraws } from './tokenDraws.ts'

/** A page waits no longer than this for its examples, and is given the same ones for as long. */
const LONGEST_MS = 3000
const KEPT_MS = 5000

type Cast = ReturnType<typeof createCast>
export interface ExampleParts {
  readonly registry: Registry
  readonly handlers: Readonly<Record<string, (params: never, call: Call) => unknown>>
  /** Whose wallets sign the messages of the examples; null on a chain of others. */
  readonly cast: Cast | null
}

/** A wallet for each, for none to use up the message of another. */
const SENDING = {
  sendBoc: 5,
  sendBocReturnHash: 6,
  sendBocReturnHashNoError: 7,
  'v3.message': 8,
  'v3.sendAndWait': 9,
} as const
const WALLET = 4
/** Whose work drawing is. */
const SUBJECT = 'examples'
const SMALL = 10_000_000n

const rawOf = (cast: Cast, number: number): string => {
  const { workchain, hash } = cast.wallet(number).address
  return `${workchain}:${Buffer.from(hash).toString('hex')}`
}

/** A transfer of the wallet to itself that is accepted once, and for ten minutes. */
async function signed(ask: AskMethod, cast: Cast, number: number): Promise<DrawnRow> {
  const by = cast.wallet(number)
  const { data } = await ask('getAddressInformation', { address: rawOf(cast, number) })
  if (typeof data !== 'string' || data === '') throw new Error('the wallet is not there')
  const { utime } = await ask('dev.state')
  const now = Math.max(Number(utime), Math.floor(Date.now() / 1000))
  // Seven of them are signed for a page, a millisecond or two each.
  await new SlicedWork({ subject: SUBJECT }).ownTurn()
  const sends = [{ to: by.address, value: SMALL, bounce: false }]
  const message = messageOf({ by, sends }, { data: readBoc(Buffer.from(data, 'base64')), utime: now })
  return { boc: Buffer.from(message).toString('base64') }
}

function drawsOf(ask: AskMethod, cast: Cast): readonly Draw[] {
  const messages = Object.entries(SENDING).map(
    ([name, by]): Draw =>
      async () =>
        exampleFor(name, await signed(ask, cast, by)),
  )
  const soon = async () => exampleFor('dev.setNextBlockTime', { utime: Math.floor(Date.now() / 1000) + 60 })
  const last = async () =>
    exampleFor('dev.revert', { id: textAt(drawnRowsOf(await ask('dev.snapshots'), 'snapshots').at(-1), 'id') })
  const emulated = async () => ({
    'emulate.trace': { ...(await signed(ask, cast, WALLET)), with_actions: true },
    'emulate.tonConnect': {
      from: rawOf(cast, WALLET),
      messages: [{ address: rawOf(cast, WALLET + 1), amount: String(SMALL) }],
      with_actions: true,
    },
  })
  const ofChain = [...chainDraws(ask, rawOf(cast, WALLET)), ...tokenDraws(ask), ...stakingDraws(ask)]
  return [...ofChain, ...messages, emulated, soon, last]
}

async function drawsOfOthers(ask: AskMethod): Promise<readonly Draw[]> {
  const wallet = await someWallet(ask).catch(() => null)
  const own = wallet === null ? [] : [...chainDraws(ask, wallet), ...networkDraws(ask, wallet)]
  return [...own, ...tokenDraws(ask), ...stakingDraws(ask)]
}

/** Draws examples, the same ones for a few seconds; none while the chain or the index cannot answer. */
export function createLiveExamples({ registry, handlers, cast }: ExampleParts): () => Promise<Examples> {
  const specs: Readonly<Record<string, MethodSpec>> = registry
  const asker =
    (signal: AbortSignal): AskMethod =>
    async (name, params = {}) => {
      const { [name]: spec } = specs
      const { [name]: handler } = handlers
      if (!spec || !handler) throw new Error(`no ${name}`)
      const caller = { subject: SUBJECT, keyId: null, tier: null }
      const call: Call = { caller, requestId: 'examples', signal, timeoutMs: LONGEST_MS, modifiers: NO_MODIFIERS }
      // The cast: the schema of this very method has made them.
      const body: unknown = await handler(spec.params.parse(params) as never, call)
      if (isRow(body) && typeof body.json === 'string') return JSON.parse(body.json) as DrawnRow
      return isRow(body) ? body : {}
    }

  async function draw(): Promise<Examples> {
    const signal = timeLimit(LONGEST_MS)
    // All examples are drawn in parallel, and every query of them listens to it until its answer is there.
    setMaxListeners(0, signal)
    ownSignal(signal, SUBJECT)
    const ask = asker(signal)
    const draws = cast === null ? await drawsOfOthers(ask) : drawsOf(ask, cast)
    // Begun all at once they held the event loop for 30 ms, and checked all at once for 10.
    const slices = new SlicedWork({ subject: SUBJECT })
    const begun = await inSlices(draws, (each) => ({ drawn: each().catch(() => ({})) }), slices)
    const drawn = await Promise.all(begun.map((one) => one.drawn))
    const fits = ([name, params]: readonly [string, DrawnRow]) => specs[name]?.params.safeParse(params).success === true
    const entries = drawn.flatMap((some) => Object.entries<DrawnRow>(some))
    const fitting = await inSlices(entries, (entry) => (fits(entry) ? [entry] : []), slices)
    return Object.fromEntries(fitting.flat())
  }

  let kept: { readonly until: number; readonly examples: Promise<Examples> } | undefined
  return () => {
    if (kept === undefined || performance.now() > kept.until)
      kept = { until: performance.now() + KEPT_MS, examples: draw() }
    return kept.examples
  }
}
