// What the explorer makes of the demo: balances that add up, fees phase by phase, sentences, contracts of some kinds.

import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { lockedAt } from '../../../client/explorer/account/locked.ts'
import { plainSentence } from '../../../client/explorer/actions/plainSentence.ts'
import { sentenceOf } from '../../../client/explorer/actions/sentence.ts'
import { traceModel, valueFlow } from '../../../client/explorer/trace/model.ts'
import { phasesOf } from '../../../client/explorer/trace/phasesOf.ts'
import { walk } from '../../../client/explorer/trace/treeLayout.ts'
import type { Trace } from '../../../client/index.ts'
import { createClient } from '../../../client/index.ts'
import { actionWords, computeWords } from '../../../shared/exitCodes.ts'
import { addAxe, violationsOf } from '../../setup/axe.ts'
import { findChromium, launchChromium, reportNoBrowser } from '../../setup/chromium.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import { forAllTests } from '../../setup/service.ts'

const ROOM_MS = 600_000
const service = forAllTests(servePlayed)
const traces: Trace[] = []

beforeAll(async () => {
  const client = createClient({ url: service().url, timeoutMs: ROOM_MS })
  for await (const trace of client.v3.traces.each({ limit: 100, include_actions: true })) traces.push(trace)
}, ROOM_MS)

/** What the action of a type has in a field: an account, raw. */
async function accountIn(type: string, field: string): Promise<string> {
  const client = createClient({ url: service().url, timeoutMs: ROOM_MS })
  const { details } = (await client.v3.actions({ action_type: [type], limit: 1 })).actions[0] ?? {}
  return String(Reflect.get(details ?? {}, field))
}

test('a vesting contract locks what the page says, to the nanoton, at any time', async () => {
  const client = createClient({ url: service().url, timeoutMs: ROOM_MS })
  const address = await accountIn('vesting_send_message', 'vesting')
  const [one] = (await client.v3.vesting({ contract_address: [address] })).vesting_contracts
  if (one === undefined) throw new Error('the demo has no vesting contract')
  const { start_time: start, cliff_duration: cliff, total_duration: total, unlock_period: period } = one
  for (const age of [-1, 0, cliff - 1, cliff, cliff + period - 1, 5 * period + 7, total - 1, total, total + 1]) {
    const stack = [{ type: 'num' as const, value: `0x${(start + age).toString(16)}` }]
    const { stack: found } = await client.v3.runGetMethod({ address, method: 'get_locked_amount', stack })
    expect(lockedAt(start + age, one), `${age} s`).toBe(BigInt(String(found[0]?.value)))
  }
})

const inBrowser = (path: string) => () => {
  test(
    'orders, a vesting, other contracts with a code, and a proof are on their pages',
    async () => {
      await using browser = await launchChromium(path)
      const page = await browser.context.newPage()
      await addAxe(page)
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      const check = async () => {
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 844 })
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect(wide, page.url()).toBeLessThanOrEqual(0)
          problems.push(...(await violationsOf(page, width === 390 ? 'dark' : 'light', {})))
        }
      }
      const open = (at: string) => page.goto(service().url + at)

      await open(`/address/${await accountIn('multisig_create_order', 'destination')}?tab=orders`)
      await page.getByText('2 of 3', { exact: true }).waitFor()
      const waits = page.getByRole('row', { name: /1 of 2 approvals/ })
      expect(await waits.textContent()).toMatch(/3 TON to .*If the others agree/)
      expect(await page.getByRole('row', { name: /executed/ }).textContent()).toContain('Out of the common purse')
      await check()
      await waits.locator('a').first().click()
      await page.getByRole('tab', { name: 'Order', exact: true }).click()
      await page.getByText('An order of the multisig wallet').waitFor()

      await open(`/address/${await accountIn('vesting_send_message', 'vesting')}?tab=vesting`)
      await page.getByText('Locked now').waitFor()
      expect(await page.locator('[role=tabpanel]').textContent()).toMatch(/Locked at first1[\s\u2009]?200 TON/)
      await check()

      const { accounts } = await createClient({ url: service().url, timeoutMs: 300_000 }).dev.state()
      const addressOf = (name: string) => accounts.find((one) => one.name === name)?.friendly ?? ''
      await open(`/address/${addressOf('wallet4')}`)
      await page.getByRole('link', { name: 'Other contracts with this code' }).click()
      await page.locator('.hits').getByText('wallet5', { exact: true }).waitFor()

      await open(`/address/${addressOf('wallet4')}?with=wallet5`)
      await page.locator('.history-row').first().waitFor()
      await page.getByLabel('With').fill('not an address')
      await page.keyboard.press('Enter')
      await page.getByText('Not an account: searched in comments.').waitFor()
      await page.getByLabel('With').fill('')
      await page.getByLabel('Until (UTC)').fill('2020-01-01')
      await page.getByText('Nothing happened in these days.').waitFor()
      await page.getByLabel('Until (UTC)').fill('2100-01-01')
      await page.locator('.history-row').first().waitFor()
      expect(page.url()).toContain('until=2100-01-01')
      await page.getByLabel('Kind').selectOption('Jettons')
      const titles = page.locator('.history-row .sentences .badge')
      await expect
        .poll(async () => new Set((await titles.allTextContents()).map((title) => title.split(' ')[0])))
        .toEqual(new Set(['Jetton']))
      await check()
      await page.getByLabel('Kind').selectOption('Bridges and others')
      await page.getByText('Nothing of this kind happened in these days.').waitFor()
      expect(page.url()).toContain('kind=others')

      await open('/block/0:8000000000000000:5')
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save the proof' }).click(),
      ])
      expect(file.suggestedFilename()).toBe('proof_0_8000000000000000_5.json')
      const proof: unknown = JSON.parse(await readFile(await file.path(), 'utf8'))
      expect(proof).toMatchObject({ '@type': 'blocks.shardBlockProof', links: [{ id: { seqno: 5 } }] })

      const session = await browser.context.newCDPSession(page)
      await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kolkata' })
      await page.getByRole('button', { name: / UTC$/ }).click()
      const zoned = page.getByRole('button', { name: / \+05:30$/ })
      await zoned.waitFor()
      await check()
      await page.reload()
      const local = (await zoned.textContent()) ?? ''
      await zoned.click()
      const utc = (await page.getByRole('button', { name: / UTC$/ }).textContent()) ?? ''
      expect(Date.parse(local.replace(' +', '+'))).toBe(Date.parse(utc))
      expect(problems).toEqual([])
    },
    ROOM_MS,
  )
}

const executable = findChromium()
if (executable) describe('in a browser', inBrowser(executable))
else test('says that there is no browser', reportNoBrowser)

const transactionsOf = (trace: Trace) => Object.values(trace.transactions ?? {})

describe('every trace', () => {
  test('has TON that adds up: what accounts gained, fees, what entered', () => {
    const flows = traces.map((trace) => valueFlow(trace))
    expect(flows.length).toBeGreaterThan(100)
    expect(flows.filter(({ rest }) => rest !== 0n)).toEqual([])
    expect(flows.some(({ fees }) => fees > 0n)).toBe(true)
  })

  test('changes balances by its messages and fees as its states say, where states are not stored', () => {
    const wrong = traces.filter((trace) => {
      const without = Object.entries(trace.transactions ?? {}).map(([hash, one]) => {
        const before = one.account_state_before
        const after = one.account_state_after
        const states = { account_state_before: before, account_state_after: { ...after, balance: null } }
        return [hash, { ...one, ...states }] as const
      })
      const counted = valueFlow({ ...trace, transactions: Object.fromEntries(without) })
      const { flows } = valueFlow(trace)
      return counted.flows.some(({ ton }, at) => ton !== flows[at]?.ton)
    })
    expect(wrong.map(({ trace_id }) => trace_id)).toEqual([])
  })

  test('has phases whose fees are those of the transaction', () => {
    const all = traces.flatMap(transactionsOf)
    expect(all.length).toBeGreaterThan(300)
    const wrong = all.filter((one) => phasesOf(one).reduce((sum, { fee }) => sum + fee, 0n) !== BigInt(one.total_fees))
    expect(wrong.map(({ hash, description, total_fees }) => ({ hash, total_fees, description }))).toEqual([])
  })

  test('has no phase that used more gas than its limit: what is granted until a message is accepted is none', () => {
    const all = traces.flatMap(transactionsOf).flatMap((one) => phasesOf(one))
    expect(all.filter(({ gas }) => gas && gas.limit > 0n && gas.used > gas.limit)).toEqual([])
  })

  test('has a tree with all its transactions, and says when one failed', () => {
    const wrong = traces.filter((trace) => {
      const { root, size, status, cause } = traceModel(trace)
      const steps = root === null ? [] : [...walk(root)]
      const failed = transactionsOf(trace).some(({ description: { compute_ph: compute, action } }) =>
        Boolean((compute?.skipped === false && !compute.success) || action?.success === false),
      )
      const isSaid = !failed || (status !== 'success' && cause?.outcome === 'failed')
      // An action can fail without a transaction that does: a stake that is sent back.
      const isHidden = status === 'success' && (trace.actions ?? []).some(({ success }) => !success)
      return steps.length !== trace.trace_info.transactions || size !== steps.length || !isSaid || isHidden
    })
    expect(wrong.map(({ trace_id }) => trace_id)).toEqual([])
    expect(new Set(traces.map((trace) => traceModel(trace).status))).toContain('success')
  })

  test('has a sentence for each action', () => {
    const actions = traces.flatMap((trace) => trace.actions ?? [])
    const types = new Set(actions.map(({ type }) => type))
    expect(types.size).toBeGreaterThan(30)
    const written = actions.map((action) =>
      plainSentence(sentenceOf(action), (part) =>
        'amount' in part ? part.amount : 'quote' in part ? part.quote : '#',
      ),
    )
    expect(written.filter((text) => /undefined|null|NaN|\bsome\b/.test(text))).toEqual([])
  })
})

test.each([
  [computeWords(0).text, 'success'],
  [computeWords(36).text, 'an error of the contract itself'],
  [computeWords(36, ['wallet_v4r2']).text, 'message expired'],
  [computeWords(133, ['wallet_v5r1']).text, 'wrong seqno'],
  [computeWords(133).text, 'contract stopped'],
  [computeWords(706, ['jetton_wallet']).text, 'not enough jettons, by the standard contracts'],
  [computeWords(48, ['jetton_master']).text, 'not enough TON, by the standard contracts'],
  [computeWords(401, ['nft_item', 'nft_editable']).text, 'the sender is not the owner, by the standard contracts'],
  [computeWords(402).text, 'an error of the contract itself'],
  [computeWords(777).text, 'an error of the contract itself'],
  [computeWords(-14).text, 'out of gas'],
  [actionWords(37).text, 'not enough TON'],
])('%s', (text, expected) => expect(text).toBe(expected))
