// What a step makes the browser give a style again: the same on every machine.

import type { Page } from 'playwright-core'

interface TraceEvent {
  readonly name: string
  readonly args?: { readonly elementCount?: number }
}

/** How many elements got their style until `step` is over; one that gets it twice counts twice. */
export async function restyledBy(page: Page, step: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const seen: TraceEvent[] = []
  // The cast: the protocol types an event as any object.
  session.on('Tracing.dataCollected', ({ value }) => seen.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['devtools.timeline'] },
    transferMode: 'ReportEvents',
  })
  await step()
  const over = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await over
  await session.detach()
  return seen.reduce((sum, { name, args }) => (name === 'UpdateLayoutTree' ? sum + (args?.elementCount ?? 0) : sum), 0)
}
