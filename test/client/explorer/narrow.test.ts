// Pages of 320 px, as those of a small phone, or of a desktop at 400 %: hints of fields are whole, and the console begins with
// its first methods.

import { beforeAll, expect, test } from 'vitest'
import { onOnePage, page, service } from '../../setup/explorerScene.ts'
import { servePlayed } from '../../setup/playedDemo.ts'

const NARROW = { width: 320, height: 700 }
const WIDE = { width: 1000, height: 700 }

/** Hints that are wider than their field: as texts they are measured with all that the browser draws beside them. */
function cutHints(): readonly string[] {
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[placeholder]')]
  return fields
    .filter((one) => one.checkVisibility())
    .flatMap((one) => {
      // Letters, also where a browser shows dots.
      if (one.type === 'password') one.type = 'text'
      one.value = one.placeholder
      return one.scrollWidth > one.clientWidth ? [one.placeholder] : []
    })
}

onOnePage(servePlayed, () => {
  beforeAll(() => page.setViewportSize(NARROW))

  test.each([
    ['/', '.row'],
    ['/console', '.forms a'],
    ['/status', '#admin-token'],
  ])('hints on %s are whole', async (at, shows) => {
    await page.goto(service.url + at)
    await page.locator(shows).first().waitFor()
    expect(await page.evaluate(cutHints)).toEqual([])
  })

  test('the first methods of the console come before the list of all, each on lines of its own', async () => {
    await page.goto(`${service.url}/console`)
    const links = page.locator('.forms a')
    await links.first().waitFor()
    const lines = await page.locator('.forms dd').evaluateAll((all) => all.map(({ clientWidth }) => clientWidth))
    expect(lines).toHaveLength(8)
    // All of the page but its edges.
    expect(Math.min(...lines)).toBeGreaterThanOrEqual(NARROW.width - 32)
    const firstGroup = await page.locator('.method-list summary').first().boundingBox()
    expect((await links.last().boundingBox())?.y).toBeLessThan(firstGroup?.y ?? 0)
    await page.getByPlaceholder(/^Filter/).fill('history')
    await expect.poll(() => links.count()).toBe(0)
  })

  test('in a window that becomes wide they are beside the list', async () => {
    await page.goto(`${service.url}/console`)
    await page.locator('.method-list .forms a').first().waitFor()
    await page.setViewportSize(WIDE)
    await page.locator('.console-main .forms a').first().waitFor()
    expect(await page.locator('.forms').count()).toBe(1)
  })
})
