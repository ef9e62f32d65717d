// What a step draws, counted by the links it writes: the same on every machine.

import type { Page } from 'playwright-core'

/** For pages that are opened from now on. As text: compiled functions call helpers no page has. */
export const countLinks = (page: Page): Promise<unknown> =>
  page.addInitScript({
    content: `globalThis.links = 0
      globalThis.URL = class extends URL { constructor(...all) { super(...all); globalThis.links++ } }`,
  })

/** How many links are written until `step` is over. */
export async function linksOf(page: Page, step: () => Promise<unknown>): Promise<number> {
  const links = () => page.evaluate(() => (globalThis as unknown as { links: number }).links)
  const before = await links()
  await step()
  return (await links()) - before
}
