// In the details of an action, null as the asset means TON. When the jetton of a wallet is not known, an amount of it must
// not be shown with null, or it would look like TON.

import { expect, test } from 'vitest'
import { type AccountsFacts, classifyTrace, type TraceInput } from '../../../server/actions/index.ts'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import { possibleBases } from './made/random.ts'
import { fileOf } from './made/tree.ts'

type Details = Readonly<Record<string, unknown>>

const isSome = (amount: unknown): boolean => amount !== undefined && amount !== null && amount !== '0'

/** Amounts that are shown as TON: beside an asset that is null, at any depth. */
function shownAsTon(details: Details): string[] {
  return Object.entries(details).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return shownAsTon(value as Details)
    const amount = name.includes('asset') && value === null ? details[name.replace('asset', 'amount')] : null
    return isSome(amount) ? [String(amount)] : []
  })
}

/** What a swap was to give, where it gave jettons. */
const wantedAsTon = ({ asset_out, dex_outgoing_transfer: paid }: Details): string[] =>
  asset_out === null && (paid as Details | undefined)?.asset !== null ? ['what was wanted'] : []

/** Logs of a teleport alone: their type says that it is tgBTC. */
const isLog = (type: string): boolean => type.endsWith('_fallback')

interface Shown {
  readonly type: string
  readonly ton: string
}

const tonIn = (trace: TraceInput, facts: AccountsFacts): Shown[] =>
  classifyTrace(trace, facts).actions.flatMap(({ type, details }) =>
    isLog(type) ? [] : [...shownAsTon(details), ...wantedAsTon(details)].map((ton) => ({ type, ton })),
  )

test('no wallet of an unknown jetton makes jettons look like TON', () => {
  const wrong: string[] = []
  let count = 0
  for (const { name, tree } of possibleBases()) {
    const { trace, facts } = traceOfFile(fileOf(tree))
    const known = new Set(tonIn(trace, facts).map(({ ton }) => ton))
    const wallets = [...facts].flatMap(([account, { jettonWallet }]) => (jettonWallet === undefined ? [] : [account]))
    for (const unknown of [...wallets.map((wallet) => [wallet]), wallets]) {
      const without = new Map([...facts].filter(([account]) => !unknown.includes(account)))
      for (const { type, ton } of tonIn(trace, without)) if (!known.has(ton)) wrong.push(`${name}: ${type} ${ton}`)
      count += 1
    }
  }
  expect([...new Set(wrong)]).toEqual([])
  expect(count).toBeGreaterThan(300)
})
