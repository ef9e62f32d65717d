// Every page on a phone: what a finger presses is large enough, and nothing is cut; and a page on paper.

import { beforeAll, expect, test } from 'vitest'
import { client, context, onOnePage, page, service } from '../../setup/explorerScene.ts'
import { type ExplorerView, explorerViews } from '../../setup/explorerViews.ts'
import { servePlayed } from '../../setup/playedDemo.ts'

const PHONE = { width: 390, height: 844 }

/** Targets below 44 px, and texts that are wider than their place and no one can scroll. */
function faultsOnScreen(): readonly string[] {
  const TARGET = 44
  const pressed = 'button, select, summary, a.button, .top nav a, .foot a, input, textarea'
  const isSeen = (one: Element): boolean => one.checkVisibility({ visibilityProperty: true })
  const nameOf = (one: Element): string =>
    `${one.tagName.toLowerCase()}.${one.className} “${(one.textContent || one.getAttribute('aria-label') || one.id).slice(0, 30)}”`
  /** A box to tick is pressed with the words beside it. */
  const areaOf = (one: Element): DOMRect => {
    const box = one instanceof HTMLInputElement && ['checkbox', 'radio'].includes(one.type)
    return ((box ? one.closest('label') : null) ?? one).getBoundingClientRect()
  }
  const small = [...document.querySelectorAll(pressed)].filter(isSeen).flatMap((one) => {
    const { width, height } = areaOf(one)
    // A pixel of a fraction is drawn.
    const isSmall = Math.ceil(height) < TARGET || Math.ceil(width) < (one.closest('p, li, dd, td, h1') ? 24 : TARGET)
    return isSmall ? [`${nameOf(one)} ${Math.round(width)}x${Math.round(height)}`] : []
  })
  const outside = [...document.querySelectorAll('#main *')].filter(isSeen).flatMap((one) => {
    const { left, right, width } = one.getBoundingClientRect()
    const isScrolled = one.closest('.scroll, .tabs, .graph-frame, .hit, nav, pre') !== null
    return !isScrolled && width > 1 && (right > innerWidth + 1 || left < -1) ? [`${nameOf(one)} is outside`] : []
  })
  return [...new Set([...small, ...outside])]
}

/** What scrolls sideways, and whether an edge shows that there is more. */
const wideOnScreen = (): readonly (readonly [name: string, hasEdge: boolean])[] =>
  [...document.querySelectorAll('.scroll, .tabs, .top nav')]
    .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
    .map((one) => {
      const { backgroundImage, backgroundAttachment, overflowX } = getComputedStyle(one)
      const isEdge = backgroundImage.includes('gradient') && backgroundAttachment.includes('local')
      return [one.className || one.tagName.toLowerCase(), isEdge && overflowX === 'auto']
    })

onOnePage(servePlayed, () => {
  let views: readonly ExplorerView[]

  beforeAll(async () => {
    views = await explorerViews(service.url)
    await page.setViewportSize(PHONE)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  })

  test('a row does not move when the time in front of it gets longer', async () => {
    await page.goto(service.url)
    await page.locator('.row .what').first().waitFor()
    const begins = await page.evaluate(() => {
      const rows = [...document.querySelectorAll('.row')].slice(0, 2)
      const texts = ['9 s ago', '59 min ago']
      for (const [at, row] of rows.entries()) row.querySelector('time')?.replaceChildren(texts[at] ?? '')
      return rows.map((row) => row.querySelector('.what')?.getBoundingClientRect().left)
    })
    expect(begins[0]).toBeGreaterThan(0)
    expect(begins[1]).toBe(begins[0])
  })

  test('where a page has 320 px, as at 400 % on a desktop, a date is whole in its field', async () => {
    const wallet = `/address/-1:${'3'.repeat(64)}`
    await page.setViewportSize({ width: 320, height: 700 })
    for (const at of [wallet, `${wallet}?tab=transactions`]) {
      await page.goto(service.url + at)
      await page.locator('[type^="date"]').first().waitFor()
      const fields = await page.locator('[type^="date"]').evaluateAll((all) =>
        all.map((one) => {
          const { width } = one.getBoundingClientRect()
          Object.assign(one.style, { width: 'max-content', maxWidth: 'none' })
          return { width, wanted: one.getBoundingClientRect().width }
        }),
      )
      for (const { width, wanted } of fields) expect(width, at).toBeGreaterThanOrEqual(wanted)
    }
    await page.setViewportSize(PHONE)
  })

  test('targets are 44 px, nothing is outside of the screen, and what scrolls sideways shows an edge', async () => {
    const found: string[] = []
    const wide = new Set<string>()
    for (const { at, shows } of views) {
      await page.goto(service.url + at)
      await page.locator(shows).first().waitFor()
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
      expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
      found.push(...(await page.evaluate(faultsOnScreen)).map((fault) => `${at}: ${fault}`))
      for (const [name, hasEdge] of await page.evaluate(wideOnScreen)) {
        wide.add(name)
        if (!hasEdge) found.push(`${at}: ${name} is cut without an edge`)
      }
    }
    expect(found).toEqual([])
    expect([...wide]).toEqual(expect.arrayContaining(['nav', 'scroll']))
  })

  test.each([320, 360, 375, 390])('at %i px a time in full stays in its place, in any zone', async (width) => {
    const places = ['/tx/', '/address/', '/block/'].map((begin) => views.find(({ at }) => at.startsWith(begin)))
    const session = await context.newCDPSession(page)
    await page.setViewportSize({ ...PHONE, width })
    const found: string[] = []
    for (const zone of ['UTC', 'Asia/Kolkata']) {
      await session.send('Emulation.setTimezoneOverride', { timezoneId: zone })
      for (const { at, shows } of places.filter((place) => place !== undefined)) {
        await page.goto(service.url + at)
        await page.locator(shows).first().waitFor()
        await page.locator('dd button.zone').first().waitFor()
        const time = page.locator('dd button.zone', { hasText: zone === 'UTC' ? 'UTC' : '+05:30' }).first()
        if (zone !== 'UTC' && (await time.count()) === 0)
          await page.locator('dd button.zone', { hasText: 'UTC' }).click()
        const over = await time.evaluate(
          (one) => one.getBoundingClientRect().right - (one.closest('dd')?.getBoundingClientRect().right ?? 0),
        )
        if (over > 1) found.push(`${zone} ${at}: ${over} px beyond`)
      }
    }
    await page.evaluate(() => localStorage.clear())
    await session.send('Emulation.setTimezoneOverride', { timezoneId: '' })
    await page.setViewportSize(PHONE)
    expect(found).toEqual([])
  })

  test('where a large balance has no room, it goes on with its point, not within its digits', async () => {
    const { accounts } = await client.dev.state()
    await page.setViewportSize({ ...PHONE, width: 360 })
    await page.goto(`${service.url}/address/${accounts.find(({ name }) => name === 'faucet')?.friendly}`)
    const balance = page.locator('[aria-label="Account"] .facts .amount').first()
    await balance.waitFor()
    const begins = await balance.evaluate((one) => {
      const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
      const begun: string[] = []
      let last: number | null = null
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
        for (const [at, sign] of [...(node.textContent ?? '')].entries()) {
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          const { top, height } = range.getBoundingClientRect()
          if (height === 0) continue
          if (last !== null && top > last + 5) begun.push(sign)
          last = top
        }
      return begun
    })
    await page.setViewportSize(PHONE)
    expect(begins.slice(0, 1)).toEqual(['.'])
  })

  test('what is found is shown whole: two tokens of one name differ in what follows it', async () => {
    await page.goto(`${service.url}/search?q=demo`)
    const hits = page.locator('.hits .hit')
    await hits.first().waitFor()
    const over = await hits.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))
    expect(over.length).toBeGreaterThan(1)
    expect(Math.max(...over)).toBeLessThanOrEqual(0)
  })

  test('amounts of phases stay in their card when text is twice as large', async () => {
    const { at, shows } = views.find((view) => view.at.startsWith('/tx/')) ?? { at: '', shows: '' }
    await page.goto(service.url + at)
    await page.locator(shows).first().waitFor()
    await page.locator('.phase .amount').first().waitFor()
    const over = await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
      return [...document.querySelectorAll('.phase .amount')].map(
        (one) => one.getBoundingClientRect().right - (one.closest('.panel')?.getBoundingClientRect().right ?? 0),
      )
    })
    expect(Math.max(...over)).toBeLessThan(0)
  })

  test('amounts of a history are beside their ages or below, and not over them, when text is twice as large', async () => {
    await page.goto(`${service.url}${views.find(({ shows }) => shows === '.history-row')?.at}`)
    await page.locator('.history-row').first().waitFor()
    const over = await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
      return [...document.querySelectorAll('.history-row')].flatMap((row) => {
        const age = row.querySelector('time')?.getBoundingClientRect()
        return [...row.querySelectorAll('.tail > *')].flatMap((one) => {
          const { left, top, bottom } = one.getBoundingClientRect()
          const isOver = age && left < age.right && top < age.bottom && bottom > age.top
          return isOver ? [one.textContent] : []
        })
      })
    })
    expect(over).toEqual([])
  })

  test('amounts of a history begin beside their ages, also those with a fee below', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${service.url}${views.find(({ shows }) => shows === '.history-row')?.at}`)
    await page.locator('.history-row .fee').first().waitFor()
    const below = await page.evaluate(
      () =>
        [...document.querySelectorAll('.history-row')].filter((row) => {
          const age = row.querySelector('time')?.getBoundingClientRect()
          const amount = row.querySelector('.tail > *')?.getBoundingClientRect()
          return age && amount && amount.top >= age.bottom
        }).length,
    )
    expect(below).toBe(0)
  })

  test('lists stay on the screen of a phone whose texts are twice as large', async () => {
    const wallet = views.find((view) => view.shows === '.history-row')?.at ?? ''
    // Half of 360 px: the layout is the same.
    await page.setViewportSize({ width: 180, height: 400 })
    const found: string[] = []
    for (const at of ['/', wallet, '/wallets']) {
      await page.goto(service.url + at)
      await page.locator('#main .amount').first().waitFor()
      const over = await page.evaluate(() => {
        const ends = [...document.querySelectorAll('#main :is(.sentence, .tail, .wallets) :is(.amount, .badge, a)')]
          .filter((one) => one.checkVisibility())
          .map((one) => [one.textContent, one.getBoundingClientRect().right - innerWidth] as const)
        return ends.filter(([, by]) => by > 1).map(([text, by]) => `“${text}” by ${by} px`)
      })
      found.push(...over.map((words) => `${at}: ${words}`))
    }
    await page.setViewportSize(PHONE)
    expect(found).toEqual([])
  })

  test('no page is wider than a phone on which the text of pages is twice as large, but its screen is not half as wide', async () => {
    await page.setViewportSize({ ...PHONE, width: 375 })
    const found: string[] = []
    for (const { at, shows } of views) {
      await page.goto(service.url + at)
      await page.locator(shows).first().waitFor()
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
      const width = await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
        return document.documentElement.scrollWidth
      })
      if (width > 375) found.push(`${at}: ${width} px`)
    }
    await page.setViewportSize(PHONE)
    expect(found).toEqual([])
  })

  test('on a phone of 360 px with text twice as large, headings break between words, and rows of a trace fit', async () => {
    await page.setViewportSize({ ...PHONE, width: 360 })
    const found: string[] = []
    let headings = 0
    let rows = 0
    for (const { at, shows } of views) {
      await page.goto(service.url + at)
      await page.locator(shows).first().waitFor()
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
      headings += await page.locator('h1').count()
      rows += await page.locator('.tree-row .amount').count()
      const faults = await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
        const isBroken = (text: Text, at: number, { length }: string): boolean => {
          const range = document.createRange()
          range.setStart(text, at)
          range.setEnd(text, at + length)
          return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
        }
        // A name of a method has no place where it may break.
        const broken = [...document.querySelectorAll('h1, h1 > .quiet, .param-name')]
          .filter((one) => one.getBoundingClientRect().width > 1)
          .flatMap((one) => [...one.childNodes].filter((child) => child instanceof Text))
          .flatMap((text) => [...text.data.matchAll(/(?<![.\w])\p{L}+(?![.\w])/gu)].map((found) => ({ text, found })))
          .flatMap(({ text, found: { 0: word, index } }) => (isBroken(text, index, word) ? [word] : []))
        const amounts = [...document.querySelectorAll('.tree-row .amount')]
        for (const one of amounts) one.textContent = '1\u2009120.271878926 TON'
        const isOutside = amounts.some((one) => one.getBoundingClientRect().right > innerWidth)
        return isOutside ? [...broken, 'an amount is outside'] : broken
      })
      found.push(...faults.map((fault) => `${at}: ${fault}`))
    }
    await page.setViewportSize(PHONE)
    expect(found).toEqual([])
    expect([headings >= views.length, rows > 0]).toEqual([true, true])
  })

  test('names of accounts without a gap stay on the screen', async () => {
    const found: string[] = []
    let named = 0
    for (const { at, shows } of views) {
      await page.goto(service.url + at)
      await page.locator(shows).first().waitFor()
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
      named += await page.locator('.address > a:not(:has(*)), .item > strong, .domains a').evaluateAll((all) => {
        for (const one of all) one.textContent = 'w'.repeat(64)
        return all.length
      })
      const faults = await page.evaluate(faultsOnScreen)
      found.push(...faults.filter((fault) => fault.endsWith('is outside')).map((fault) => `${at}: ${fault}`))
    }
    expect(named).toBeGreaterThan(10)
    expect(found).toEqual([])
  })

  test('on a tablet what a get-method returns stays in its column', async () => {
    const { at, shows } = views.find((view) => view.at.endsWith('?tab=methods')) ?? { at: '', shows: '' }
    await page.goto(service.url + at)
    await page.locator(shows).first().waitFor()
    const found: string[] = []
    for (const width of [770, 820, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const over = await page.locator('.methods .facts dd *').evaluateAll((all) =>
        all.flatMap((one) => {
          const by = one.getBoundingClientRect().right - (one.closest('dd')?.getBoundingClientRect().right ?? 0)
          return by > 1 ? [`“${one.textContent}” by ${by} px`] : []
        }),
      )
      found.push(...over.map((words) => `${width} px: ${words}`))
    }
    await page.setViewportSize(PHONE)
    expect(found).toEqual([])
  })

  test('on paper a page is light in every theme, has no controls, and shows addresses whole', async () => {
    const { at, shows } = views.find((view) => view.at.startsWith('/tx/')) ?? { at: '', shows: '' }
    await page.goto(service.url + at)
    await page.locator(shows).first().waitFor()
    await page.evaluate(() => {
      document.documentElement.dataset.theme = 'dark'
    })
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await colour()).not.toBe('rgb(255, 255, 255)')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await colour()).toBe('rgb(255, 255, 255)')
    for (const one of ['.top nav', '#q', '.foot', 'button.copy'])
      expect(await page.locator(one).first().isVisible(), one).toBe(false)
    const widths = await page
      .locator('.shortened > :first-child')
      .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))
    expect(Math.max(...widths)).toBeLessThanOrEqual(0)
    const wallet = views.find((view) => view.shows === '.history-row')
    await page.emulateMedia({ media: 'screen' })
    await page.goto(`${service.url}${wallet?.at}`)
    await page.locator('.history-row').first().waitFor()
    await page.emulateMedia({ media: 'print' })
    const pressed = await page
      .locator('main :is(button:not(.zone), select, input, a.button)')
      .evaluateAll((all) => all.flatMap((one) => (one.checkVisibility() ? [one.outerHTML] : [])))
    expect(pressed).toEqual([])
    const times = await page
      .locator('time')
      .evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility())
          .map((one) => [getComputedStyle(one).fontSize, getComputedStyle(one, '::before').content]),
      )
    expect(times.length).toBeGreaterThan(0)
    for (const [age, date] of times) expect([age, date]).toEqual(['0px', expect.stringMatching(/^"\d{4}-.* UTC"$/)])
    const gap = await page.evaluate(() => {
      const [card, rows] = ['main .card', '[role="tabpanel"]'].map((one) => document.querySelector(one))
      return (rows?.getBoundingClientRect().top ?? 0) - (card?.getBoundingClientRect().bottom ?? 0)
    })
    expect(gap).toBeGreaterThan(10)
  })

  test('on paper values of a reply have their names', async () => {
    await page.emulateMedia({ media: 'screen' })
    await page.goto(`${service.url}/console/getMasterchainInfo`)
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    const name = page.locator('.json .j-key', { hasText: 'root_hash' }).first()
    await name.waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await name.isVisible()).toBe(true)
  })
})
