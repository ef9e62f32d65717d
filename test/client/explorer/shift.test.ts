// What moves under a person's eyes when the results of a page come late: nothing. Their room is there before they are.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { BOOT_ID } from '../../../shared/explorer/boot.ts'
import { client, context, inBrowser, service } from '../../setup/explorerScene.ts'
import { type ExplorerView, explorerViews } from '../../setup/explorerViews.ts'
import { servePlayed } from '../../setup/playedDemo.ts'

/** Of the screen, as browsers count shifts. */
const MOST_SHIFT = 0.01
/** Less is not seen. */
const MOST_MOVED_PX = 3
/** Long enough for what is shown while something loads. */
const LATE_MS = 500
/** Of a screen that shows all of a page: on a lower one, a person scrolls to what moves. */
const HEIGHT = 3_000

const AT_ONCE = 4

interface Shift {
  readonly value: number
  /** The furthest that anything moved, up or down or sideways. */
  readonly moved: number
  readonly of: readonly string[]
}

/** As text: compiled functions call helpers no page has. */
const NOTE_SHIFTS = `globalThis.shifts = []
  const nameOf = (node) => node ? (node.nodeName + '.' + (node.className?.baseVal ?? node.className ?? '')) : 'gone'
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const seen = sources.filter(({ previousRect: a, currentRect: b }) => a.height > 0 && b.height > 0)
      shifts.push({
        value,
        moved: Math.max(0, ...seen.flatMap(({ previousRect: a, currentRect: b }) => [Math.abs(a.y - b.y), Math.abs(a.x - b.x)])),
        of: seen.map(({ node, previousRect: a, currentRect: b }) => nameOf(node) + ' ' + a.x + ' ' + a.y + ' to ' + b.x + ' ' + b.y),
      })
    }
  }).observe({ type: 'layout-shift', buffered: true })`

/** The document as a busy service writes it: without the results of its view, which come some time after they were asked for. */
const FORGET_RESULTS = `document.addEventListener('readystatechange', () => {
  const at = document.getElementById('${BOOT_ID}')
  if (document.readyState !== 'interactive' || at === null) return
  const boot = JSON.parse(at.textContent)
  const isOfFrame = ([key]) => /^(?:v3\\.masterchainInfo|dev\\.state|v3\\.abis) /.test(key)
  at.textContent = JSON.stringify({ ...boot, replies: Object.fromEntries(Object.entries(boot.replies).filter(isOfFrame)) })
})`

/** What a page reads again after some time is not late, and may be longer: on a slow machine a page is open for that long. */
const READ_ONCE = `{
  const { setInterval } = globalThis
  globalThis.setInterval = (work, ms, ...rest) => (ms < 5_000 ? setInterval(work, ms, ...rest) : 0)
}`

/** The clocks of the page can be set forward, and it looks at them more often. */
const SET_CLOCKS = `globalThis.ahead = 0
  const { now } = Date
  const sinceOpened = performance.now.bind(performance)
  const { setInterval } = globalThis
  Date.now = () => now() + ahead
  performance.now = () => sinceOpened() + ahead
  globalThis.setInterval = (work, ms, ...rest) => setInterval(work, ms === 1_000 ? 20 : ms, ...rest)`
/** From seconds to hours. */
const AGE_STEPS = 70
const AGE_STEP_MS = 55_000

const DRAWN = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(resolve))))`

/** Resolves when all that the page asked for has come and is drawn, also what it asked for because of that. */
function settled(page: Page): () => Promise<void> {
  let begun = 0
  let open = 0
  let wake = (): void => undefined
  const end = (): void => {
    open--
    wake()
  }
  page.on('request', () => {
    begun++
    open++
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    for (let before = -1; before !== begun || open > 0; ) {
      while (open > 0) await new Promise<void>((resolve) => (wake = resolve))
      before = begun
      await page.evaluate(DRAWN)
    }
  }
}

/** Lists the calls that the service got, also from other pages: it is opened when they are closed. */
const CALL_LIST = '/status'

/** A block that comes meanwhile moves the rows of lists: none comes. */
const still = () => servePlayed({ config: { mining: 'manual' } })

inBrowser(still, () => {
  let views: readonly ExplorerView[]

  beforeAll(async () => {
    views = await explorerViews(service.url)
  })

  async function openLate({ at, shows }: ExplorerView, width: number): Promise<readonly Shift[]> {
    const page = await context.newPage()
    await page.setViewportSize({ width, height: HEIGHT })
    await page.addInitScript({ content: NOTE_SHIFTS })
    await page.addInitScript({ content: FORGET_RESULTS })
    await page.addInitScript({ content: READ_ONCE })
    const isWhole = settled(page)
    await page.route(/\/jsonRPC$|\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, LATE_MS))
      await route.continue()
    })
    await page.goto(service.url + at)
    await page.locator(shows).first().waitFor()
    await isWhole()
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: readonly Shift[] }).shifts)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
    return shifts
  }

  async function openForAnHour({ at, shows }: ExplorerView, width: number): Promise<readonly Shift[]> {
    const page = await context.newPage()
    await page.setViewportSize({ width, height: HEIGHT })
    await page.addInitScript({ content: NOTE_SHIFTS })
    await page.addInitScript({ content: SET_CLOCKS })
    const isWhole = settled(page)
    await page.goto(service.url + at)
    await page.locator(shows).first().waitFor()
    await isWhole()
    const before = await page.locator('#main time').allTextContents()
    await page.evaluate('shifts = []')
    for (let step = 0; step < AGE_STEPS; step++)
      await page.evaluate(`ahead += ${AGE_STEP_MS}; new Promise((resolve) => setTimeout(resolve, 60))`)
    expect(await page.locator('#main time').allTextContents(), at).not.toEqual(before)
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: readonly Shift[] }).shifts)
    await page.close()
    return shifts
  }

  async function moving(list: readonly ExplorerView[], width: number, open = openLate): Promise<readonly string[]> {
    const found: string[] = []
    const left = list.filter(({ at }) => at !== CALL_LIST)
    const openAll = async (): Promise<void> => {
      for (let view = left.shift(); view !== undefined; view = left.shift()) {
        const shifts = await open(view, width)
        const sum = shifts.reduce((total, { value }) => total + value, 0)
        if (sum >= MOST_SHIFT || shifts.some(({ moved }) => moved > MOST_MOVED_PX))
          found.push(`${view.at} ${sum.toFixed(3)} ${JSON.stringify(shifts)}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, openAll))
    left.push(...list.filter(({ at }) => at === CALL_LIST))
    await openAll()
    return found
  }

  test.each([1280, 390])('on a screen of %i px', async (width) => {
    expect(await moving(views, width)).toEqual([])
  })

  test.each([1280, 390])('ages that move on, on a screen of %i px', async (width) => {
    const some = views.filter(({ at, isFront }) => (isFront && /^\/[^?]+$/.test(at)) || at.startsWith('/pools'))
    expect(await moving(some, width, openForAnHour)).toEqual([])
  })

  test('below what is said of a chain whose clock was moved', async () => {
    await client.dev.increaseTime({ seconds: 7_200 })
    const some = views.filter(({ at }) => /^\/(?:$|wallets|config|search)/.test(at))
    expect(await moving(some, 390)).toEqual([])
  })
})
