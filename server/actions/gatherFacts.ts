// The facts that traces are read with, step by step: a fact may lead to the next, as the data of a wallet names its pool.

import { accountsToKnow, dataToKnow, itemsToKnow, walletsToKnow } from './accountsToKnow.ts'
import type { AccountFacts, AccountsFacts, TraceInput } from './input.ts'

/** Source of facts: known accounts, and their data if they have any. */
export interface FactsSource {
  facts(addresses: ReadonlySet<string>): Promise<Iterable<readonly [string, AccountFacts]>>
  data(addresses: ReadonlySet<string>): Promise<Iterable<readonly [string, Uint8Array]>>
}

/** A stake wallet names its pool, whose data names a wallet. */
const MOST_STEPS = 3
const NOTHING_ELSE: AccountFacts = { interfaces: [], codeHash: null }

/** Facts of all accounts in the traces and of those that they lead to; data where the classifier needs it. */
export async function gatherFacts(traces: readonly TraceInput[], from: FactsSource): Promise<AccountsFacts> {
  const named = new Set(traces.flatMap((trace) => [...accountsToKnow(trace)]))
  const facts = new Map(await from.facts(named))
  const withData = new Set<string>()
  const rest = (found: readonly ReadonlySet<string>[], read: Set<string>): Set<string> => {
    const fresh = new Set(found.flatMap((accounts) => [...accounts].filter((account) => !read.has(account))))
    for (const account of fresh) read.add(account)
    return fresh
  }
  for (let step = 0; step < MOST_STEPS; step++) {
    const accounts = rest([...traces.map((trace) => walletsToKnow(trace, facts)), itemsToKnow(facts)], named)
    const data = rest(
      traces.map((trace) => dataToKnow(trace, facts)),
      withData,
    )
    if (accounts.size === 0 && data.size === 0) break
    if (accounts.size > 0) for (const [address, known] of await from.facts(accounts)) facts.set(address, known)
    if (data.size === 0) continue
    for (const [address, bytes] of await from.data(data))
      facts.set(address, { ...(facts.get(address) ?? NOTHING_ELSE), data: bytes })
  }
  return facts
}
