// Blueprint as its users call it: a project from its template, whose script deploys a contract to the service. Why a call of
// it fails is found on the explorer's first page.

import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { findChromium, launchChromium } from '../setup/chromium.ts'
import { finish, installNpm } from '../setup/foreignTools.ts'
import { run } from '../setup/runningService.ts'
import { forAllTests, serve } from '../setup/service.ts'

const project = mkdtempSync(join(tmpdir(), 'tonrpc-blueprint-'))
const service = forAllTests(() => serve({ withIndex: true }))
const tools = await installNpm([
  '@ton/blueprint@0.46.0',
  '@ton/core@0.63.1',
  '@ton/crypto@3.3.0',
  '@ton/ton@16.3.0',
  '@ton/tolk-js@1.3.0',
  'typescript@5.9.3',
])
afterAll(() => rmSync(project, { recursive: true, force: true }))

/** The command of the guide, after `npx`. */
const TO_SERVICE = (url: string): readonly string[] =>
  `--custom ${url}/api/v2/jsonRPC --custom-version v2 --custom-type testnet --mnemonic`.split(' ')

const CODE = 777

/** Of the contract as a person describes it. */
const ABI = {
  name: 'Counter',
  types: [{ name: 'ResetCounter', header: 0x3a752f06, fields: [] }],
  errors: { [CODE]: { message: 'Counters are never reset' } },
}

/** Whether the template fits the types of its packages is not of us, and takes most of the time of each command. */
const inProject = { cwd: project, env: { TS_NODE_TRANSPILE_ONLY: 'true' } }
const blueprint = (...args: readonly string[]) => finish('npx', ['blueprint', ...args], inProject)

const compilerOptions = {
  target: 'es2020',
  module: 'commonjs',
  esModuleInterop: true,
  strict: true,
  skipLibCheck: true,
}

beforeAll(async () => {
  symlinkSync(join(tools.folder, 'node_modules'), join(project, 'node_modules'))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'counter', private: true }))
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await blueprint('create', 'Counter', '--type', 'tolk-counter')
  throwOnReset()
})

/** Of the template's contract, the second message fails. */
function throwOnReset(): void {
  const folder = join(project, 'contracts')
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.tolk')) ?? '')
  const source = readFileSync(file, 'utf8')
  const failing = source.replace(/(ResetCounter => \{)[^}]*\}/, `$1 throw ${CODE} }`)
  expect(failing).not.toBe(source)
  writeFileSync(file, failing)
}

const deploys = async (context: TestContext, wallet: string): Promise<string> => {
  tools.require(context)
  const client = createClient({ url: service().url, timeoutMs: 300_000 })
  const { accounts } = await client.dev.state()
  const { mnemonic, kind, friendly } = accounts.find(({ name }) => name === wallet) ?? {}
  writeFileSync(
    join(project, '.env'),
    `WALLET_MNEMONIC="${mnemonic}"\nWALLET_VERSION=${kind === 'v5r1' ? kind : 'v4'}\n`,
  )

  const deployed = await blueprint('run', 'deployCounter', ...TO_SERVICE(service().url))
  expect(deployed.text).toContain(`Connected to wallet at address: ${friendly}`)
  const [, address = ''] = /Contract deployed at address (\S+)/.exec(deployed.text) ?? [deployed.text]
  expect(await client.getAddressState({ address })).toBe('active')

  const counted = await blueprint('run', 'incrementCounter', address, ...TO_SERVICE(service().url))
  expect(counted.text).toContain('Counter increased successfully!')
  const { stack } = await client.runGetMethodStd({ address, method: 'currentCounter', stack: [] })
  expect(stack).toMatchObject([{ number: { number: '1' } }])
  return address
}

test('a wallet v4 deploys a counter, which counts', async (context) => void (await deploys(context, 'wallet4')))

test('with a wallet v5, whose address has the network in it: a call that throws is found on the first page and understood', async (context) => {
  const address = await deploys(context, 'wallet8')
  const chromium = findChromium()
  if (chromium === null) return context.skip('no browser here')
  await using browser = await launchChromium(chromium)
  const page = await browser.context.newPage()
  await page.goto(service().url)
  await page.getByText('Deploy').first().waitFor()
  // The script waits for a number that does not come.
  await using _ = run('npx', ['blueprint', 'run', 'resetCounter', address, ...TO_SERVICE(service().url)], inProject)
  const row = page.locator('.row.failed', { hasText: `exit ${CODE}` })
  await row.waitFor()
  expect(await row.locator('.sentence').textContent()).toContain('wallet8 called')
  await row.locator('.badge.bad').click()
  const cause = page.locator('.cause')
  await cause.waitFor()
  expect(await cause.textContent()).toMatch(
    new RegExp(`exit code ${CODE}: an error of the contract itself; the rest of the value was sent back`),
  )
  expect(await page.locator('.node.failed.selected').textContent()).toContain(`exit ${CODE}`)
  expect(await page.locator('.actions').textContent()).toMatch(/sent [\d.]+ TON back to/)
  const trace = page.url()

  await cause.getByRole('link', { name: 'Add the ABI' }).click()
  await page.getByLabel('Or as text').fill(JSON.stringify(ABI))
  await page.getByRole('button', { name: 'Add the ABI' }).click()
  await page.goto(trace)
  await cause.waitFor()
  expect(await cause.textContent()).toContain(`exit code ${CODE}: Counters are never reset`)
})
