// What moves under a person's eyes when the results of a page come late: nothing. Their room is there before they are.

import { beforeAll, expect, test } from 'vitest'
import { BOOT_ID } from '../../../shared/explorer/boot.ts'
import { context, inBrowser, service } from '../../setup/explorerScene.ts'
import { type ExplorerView, explorerViews } from '../../setup/explorerViews.ts'
import { servePlayed } from '../../setup/playedDemo.ts'

const MOST_SHIFT = 0.01
/** Long enough for what is shown while something loads. */
const LATE_MS = 500

const AT_ONCE = 4

const FRAME = /^(?:v3\.masterchainInfo|dev\.state|v3\.abis) /

interface Shift {
  readonly value: number
  readonly of: readonly string[]
}

/** A block that comes meanwhile moves the rows of lists: none comes. */
const still = () => servePlayed({ config: { mining: 'manual' } })

inBrowser(still, () => {
  let views: readonly ExplorerView[]

  beforeAll(async () => {
    views = await explorerViews(service.url)
  })

  /** The document as a busy service writes it: without the results of its view, which come some time after they were asked for. */
  async function openLate({ at, shows }: ExplorerView, width: number): Promise<readonly Shift[]> {
    const page = await context.newPage()
    await page.setViewportSize({ width, height: 844 })
    // As text: compiled functions call helpers no page has.
    await page.addInitScript({
      content: `globalThis.shifts = []
        const nameOf = (node) => node ? (node.nodeName + '.' + (node.className?.baseVal ?? node.className ?? '')) : 'gone'
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries())
            shifts.push({ value, of: sources.map(({ node, previousRect: a, currentRect: b }) => nameOf(node) + ' ' + a.y + ' to ' + b.y) })
        }).observe({ type: 'layout-shift', buffered: true })`,
    })
    await page.route(service.url + at, async (route) => {
      const reply = await route.fetch()
      const pattern = new RegExp(`(id="${BOOT_ID}"[^>]*>)(.*?)(</script>)`, 's')
      const body = (await reply.text()).replace(pattern, (_, begin: string, text: string, end: string) => {
        const boot = JSON.parse(text) as { readonly replies: Readonly<Record<string, unknown>> }
        const replies = Object.fromEntries(Object.entries(boot.replies).filter(([key]) => FRAME.test(key)))
        return begin + JSON.stringify({ ...boot, replies }).replaceAll('<', '\\u003c') + end
      })
      await route.fulfill({ response: reply, body })
    })
    await page.route('**/jsonRPC', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, LATE_MS))
      await route.continue()
    })
    await page.goto(service.url + at)
    await page.locator(shows).first().waitFor()
    await page.waitForLoadState('networkidle')
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: readonly Shift[] }).shifts)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
    return shifts
  }

  test.each([1280, 390])('on a screen of %i px', async (width) => {
    const found: string[] = []
    const left = [...views]
    const openAll = async (): Promise<void> => {
      for (let view = left.shift(); view !== undefined; view = left.shift()) {
        const shifts = await openLate(view, width)
        const sum = shifts.reduce((total, { value }) => total + value, 0)
        if (sum >= MOST_SHIFT) found.push(`${view.at} ${sum.toFixed(3)} ${JSON.stringify(shifts)}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, openAll))
    expect(found).toEqual([])
  })
})
