// A page that is open while the service is updated: scripts of its build are gone.

import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, findChromium, launchChromium, reportNoBrowser } from '../../setup/chromium.ts'
import { freePort } from '../../setup/freePort.ts'
import { type RunningService, root, run, startBuilt } from '../../setup/runningService.ts'

/** The package as another build has it: the same scripts under other names. */
async function otherBuild(folder: string): Promise<string> {
  for (const name of ['package.json', '.build']) await cp(join(root, name), join(folder, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const scripts = join(folder, '.build/explorer')
  const names = (await readdir(scripts)).filter((name) => /-\w{8}\.js$/.test(name))
  for (const file of await readdir(scripts)) {
    let text = await readFile(join(scripts, file), 'utf8')
    for (const name of names) text = text.replaceAll(name, name.replace('.js', 'X.js'))
    await writeFile(join(scripts, file), text)
  }
  for (const name of names) await rename(join(scripts, name), join(scripts, name.replace('.js', 'X.js')))
  return join(folder, '.build/bin/main.js')
}

const inBrowser = (path: string) => () => {
  let browser: Browser
  let folder: string
  let newer: string
  let page: Page
  let documents: string[]

  beforeAll(async () => {
    browser = await launchChromium(path)
    folder = await mkdtemp(join(tmpdir(), 'tonrpc-builds-'))
    newer = await otherBuild(join(folder, 'newer'))
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    page = await browser.context.newPage()
    documents = []
    page.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()))
  })
  afterEach(() => page.close())

  const begin = async (data: string): Promise<RunningService> =>
    startBuilt(['--data', join(folder, data), '--port', String(await freePort())])
  /** The other build takes the port and the data of one that ends. */
  async function update(service: RunningService, data: string) {
    await service[Symbol.asyncDispose]()
    const next = run(process.execPath, [newer, '--port', new URL(service.url).port, '--data', join(folder, data)])
    await next.says(/start page +http/)
    return next
  }
  const linkTo = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

  test('a view it has not loaded comes with the newer page, by itself and once; what was typed is still there', async () => {
    const service = await begin('first')
    await page.goto(`${service.url}/lab`)
    const message = page.locator('.compose')
    await message.getByLabel('To', { exact: true }).fill('half an address')
    await message.getByLabel('Body').selectOption('Comment')
    await message.getByLabel('Comment').fill('not sent yet')
    await page.locator('#faucet-amount').fill('77')
    await linkTo('Console').click()
    await heading('Console')
    await page.goto(`${service.url}/console/v3.blocks`)
    await page.getByLabel('limit', { exact: true }).fill('41')
    documents.length = 0
    await using _next = await update(service, 'first')
    await linkTo('Wallets').click()
    await heading('Wallets')
    await page.locator('#main tbody .amount').first().waitFor()
    expect(documents).toEqual([`${service.url}/wallets`])
    await page.goBack()
    await heading('v3.blocks')
    expect(await page.getByLabel('limit', { exact: true }).inputValue()).toBe('41')
    await linkTo('Lab').click()
    await heading('Lab')
    expect(await message.getByLabel('To', { exact: true }).inputValue()).toBe('half an address')
    expect(await message.getByLabel('Comment').inputValue()).toBe('not sent yet')
    expect(await page.locator('#faucet-amount').inputValue()).toBe('77')
    expect(documents.length).toBe(1)
  })

  test('while it is down the page says so, and goes on with the newer build', async () => {
    const service = await begin('second')
    await page.goto(service.url)
    await page.locator('#activity').waitFor()
    await service[Symbol.asyncDispose]()
    await linkTo('Lab').click()
    await page.getByRole('alert').getByText('The service does not answer').waitFor()
    await using _next = await update(service, 'second')
    await heading('Lab')
    expect(page.url()).toBe(`${service.url}/lab`)
  })

  test('a script that is never there ends in a sentence, not in a loop', async () => {
    await using service = await begin('third')
    const later = new Set(await readdir(join(root, '.build/explorer')))
    await page.goto(service.url)
    await page.locator('#activity').waitFor()
    const first = new Set(
      (await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))).map(
        (url) => url.split('/').at(-1) ?? '',
      ),
    )
    await page.route('**/explorer/*.js', (route) => {
      const name = route.request().url().split('/').at(-1) ?? ''
      return later.has(name) && !first.has(name) ? route.fulfill({ status: 404, body: 'gone' }) : route.continue()
    })
    documents.length = 0
    await linkTo('Lab').click()
    await page.getByRole('alert').getByText('did not load').waitFor()
    const before = documents.length
    expect(before).toBe(1)
    // Another view of the same build does not begin again either.
    await linkTo('Console').click()
    await page.getByRole('alert').getByText('did not load').waitFor()
    await page.keyboard.press('?')
    await page.locator('.toasts').getByText('did not load').waitFor()
    await page.locator('#q').fill('wallet1')
    expect(documents.length).toBe(before)
  })

  test('a page whose first script is gone says so without it', async () => {
    await using service = await begin('fourth')
    await page.route('**/explorer/*.js', (route) => route.fulfill({ status: 404, body: 'gone' }))
    await page.goto(`${service.url}/lab`)
    const words = page.locator('.late')
    await words.waitFor({ state: 'attached' })
    expect(await words.isVisible()).toBe(false)
    await page.evaluate(() => document.getAnimations().map((one) => one.finish()))
    expect(await words.isVisible()).toBe(true)
    await page.unroute('**/explorer/*.js')
    await words.getByRole('link', { name: 'Reload the page' }).click()
    await page.locator('.compose').waitFor()
    expect(await words.count()).toBe(0)
  })
}

const executable = findChromium()
if (executable) describe('in a browser', inBrowser(executable))
else test('says that there is no browser', reportNoBrowser)
