// A filled store whose complete traces are reported, the way the index does it.

import { asClassified, Classifier } from '../../server/indexer/actions/classifier.ts'
import { type ActionRow, type Database, writeMasterBlocks } from '../../server/store/index.ts'
import { type FillPlan, filledRows } from './filler.ts'

/** What was written, in no order. */
export async function fillActions(store: Database, plan: FillPlan): Promise<readonly ActionRow[]> {
  const written: ActionRow[] = []
  const classifier = new Classifier(store, (_, failure) => {
    throw failure
  })
  for (const some of filledRows(plan)) {
    const rows = { ...some, traces: some.traces.map(asClassified) }
    const steps = [{ accounts: rows.accounts, found: null, codes: [] }]
    const classified = await classifier.classify(rows, steps)
    await store.transaction((to) => writeMasterBlocks(to, rows, classified))
    written.push(...classified.actions)
  }
  return written
}
