// The made traces whose actions by the public reference classifier are stored: each recorded trace with a failure at
// every hop, and with some of the other changes, chosen so that all of them come round.

import { readFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { beginCell } from '../../../../server/cell/index.ts'
import { readJsonFile, type TraceFile } from '../../../../server/cli/classify/file.ts'
import { traceNames } from '../traceFixtures.ts'
import { type Change, changesOf, external, together } from './changes.ts'
import { fileOf, type Json, type MadeTrace, treeOf } from './tree.ts'

export interface MadeFile {
  readonly name: string
  readonly file: TraceFile
}

/** Their reference is wrong, and so would be that of all that is made of them. */
const WRONG = ['cocoon-02', 'cocoon-05', 'coffee-07', 'jvault-11', 'tonco-06']
/**
 * Neither are these stored, and they keep their place: which change of another trace is chosen goes by it. The second one's
 * holder has no contract to take the stake with, which the reference shows as recovered in all that is made of it.
 */
const WRONG_IN_PLACE: readonly string[] = ['tgbtc-05', 'election_recover-1']
/** Recorded after the answers were stored. */
const RECORDED_LATER = /^(dedust-v2|vesting-dropped)/

/**
 * Types the reference does not know, flows made by hand whose messages or facts are stubs, and those that it calls
 * successful whatever became of them.
 */
const UNUSED =
  /^(change_wallet|gasless|jetton_swap|dex_|stake_deposit|nft_put_on|nft_transfer-2|multisig_create|unsubscribe-failed)/

const fixtures = new URL('../../../fixtures/', import.meta.url)
const unpacked = (name: string): unknown =>
  JSON.parse(brotliDecompressSync(readFileSync(new URL(name, fixtures))).toString())

export interface Base {
  readonly name: string
  readonly tree: MadeTrace
}

/** A flow that begins with a message has a wallet send it, as a trace of a chain does. */
function requested(tree: MadeTrace): MadeTrace {
  const { source } = tree.root.message
  if (typeof source !== 'string') return tree
  return { ...tree, root: external(source, beginCell().storeUint(7, 32).end(), [tree.root]) }
}

/** Recorded traces, then flows of the embedded chain and of messages made by hand, for types that were not recorded. */
export function allBases(): Base[] {
  // The cast: they were written so.
  const flows = unpacked('made-flows.json.br') as Readonly<Record<string, TraceFile>>
  return [
    ...traceNames.map((name) => ({ name, tree: treeOf(readJsonFile(new URL(`traces/${name}.json.gz`, fixtures))) })),
    ...Object.entries(flows).map(([name, file]) => ({ name, tree: requested(treeOf(file)) })),
  ]
}

/** Those the reference can be held against. */
const basesOf = (): Base[] =>
  allBases().filter(({ name }) => !WRONG.includes(name) && !UNUSED.test(name) && !RECORDED_LATER.test(name))

/** Jettons that no message but those of the transfer speaks of. */
const SPEAKS_OF_ITS_AMOUNTS = /^(coffee|dedust|evaa|stonfi|tonco|tgbtc|jvault|layerzero)/

/** Changes of each trace besides failures. */
const OTHERS = 14

/** Far from each other in the order of the changes, whatever their number. */
const STRIDE = 61

function* chosen(base: string, at: number, changes: readonly Change[]): Generator<Change> {
  const isFailure = ([name]: Change) => name.startsWith('failed ')
  yield* changes.filter(isFailure)
  const others = changes.filter(
    (change) => !isFailure(change) && !(change[0].startsWith('jettons ') && SPEAKS_OF_ITS_AMOUNTS.test(base)),
  )
  const names = new Set<string>()
  for (let i = 0; i < OTHERS; i++) {
    const change = others[(at * 7 + i * STRIDE) % others.length]
    if (change === undefined || names.has(change[0])) continue
    names.add(change[0])
    yield change
  }
}

export function* madeFiles(): Generator<MadeFile> {
  const trees = basesOf()
  for (const [at, { name, tree }] of trees.entries()) {
    if (WRONG_IN_PLACE.includes(name)) continue
    const other = trees[(at * 37 + 11) % trees.length]
    const changes: Change[] = [...chosen(name, at, [...changesOf(tree)])]
    if (other !== undefined && other.name !== name && !WRONG_IN_PLACE.includes(other.name))
      changes.push([`together with ${other.name}`, together(tree, other.tree)])
    for (const [change, made] of changes) yield { name: `${name}: ${change}`, file: fileOf(made) }
  }
}

export interface Stored {
  /** Of the trace, as it was when the reference saw it. */
  readonly digest: string
  readonly actions: readonly Json[]
}

export const ANSWERS = new URL('made-actions.json.br', fixtures)

/** Integers of more than 15 digits are texts. */
export const readAnswers = (): Readonly<Record<string, Stored>> =>
  unpacked('made-actions.json.br') as Readonly<Record<string, Stored>>

export const packAnswers = (answers: Readonly<Record<string, Stored>>): Buffer =>
  brotliCompressSync(JSON.stringify(answers), {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  })
