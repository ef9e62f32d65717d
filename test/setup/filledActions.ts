// A filled store whose complete traces are told of, the way the index does it.

import { asClassified, classifyTraces } from '../../server/indexer/actions/classifyTraces.ts'
import { type ActionRow, type Database, writeActions, writeMasterBlocks } from '../../server/store/index.ts'
import { type FillPlan, filledRows } from './filler.ts'

/** What was written, in no order. */
export async function fillActions(store: Database, plan: FillPlan): Promise<readonly ActionRow[]> {
  const written: ActionRow[] = []
  for (const some of filledRows(plan)) {
    const rows = { ...some, traces: some.traces.map(asClassified) }
    await store.transaction(async (to) => {
      await writeMasterBlocks(to, rows)
      const told = await classifyTraces(to, rows, (_, failure) => {
        throw failure
      })
      await writeActions(to, told)
      written.push(...told.actions)
    })
  }
  return written
}
