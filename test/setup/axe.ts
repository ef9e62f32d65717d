// Pages held against the rules of axe.

import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const SCRIPT = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** Rules the theme can break: it changes colours alone. */
export const COLOURS = { runOnly: ['color-contrast'] }

/** Has axe in every page that is opened from now on. */
export const addAxe = (page: Page): Promise<unknown> => page.addInitScript({ path: SCRIPT })

/** What is wrong with the page as it is shown now, in a line each. */
export async function violationsOf(page: Page, colorScheme: 'light' | 'dark', options: object): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const { violations } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } }).axe.run(given),
    { resultTypes: ['violations'], preload: false, ...options },
  )
  return violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html.slice(0, 160)}`)
}
