// A message that waits for a block, on a chain that is mined by hand: its page shows a preview, then what came of it.

import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import type { WalletContractV4 } from '@ton/ton'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '../../../client/index.ts'
import type { Api } from '../../../shared/registry.ts'
import { countLinks, linksOf } from '../../setup/countedLinks.ts'
import { client, inBrowser, page, problems, service } from '../../setup/explorerScene.ts'
import { fundedWallet } from '../../setup/fundedWallet.ts'
import { mockMethods } from '../../setup/mockedReplies.ts'
import { serve } from '../../setup/service.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const PATIENTLY = { timeout: 300_000, interval: 100 }
const RECEIVER = `0:${'AB'.repeat(32)}`
/** Of the transfers of the wallet, in seconds: pages take long to open on a busy machine, and a test may open many of them. */
const LIFETIME = 3_600
const MANY = 4_000

type Trace = Api['v3.traces']['result']['traces'][number]

const hashOf = (at: number, salt: number): string =>
  Buffer.alloc(32, `${salt}-${String(at).padStart(8, '0')}-`).toString('base64')

/** A message that causes thousands, each to an account of its own; `salt` makes other hashes of it. */
function lengthened(trace: Trace, salt: number): Trace {
  const pattern = Object.values(trace.transactions ?? {})[0]
  if (pattern === undefined) throw new Error('the trace has no transaction')
  const all = Array.from({ length: MANY }, (_, at) => {
    const account = `0:${at.toString(16).toUpperCase().padStart(64, '0')}`
    return { ...pattern, hash: hashOf(at, salt), account, lt: `${BigInt(pattern.lt) + BigInt(at)}` as const }
  })
  const [first = '', ...others] = all.map(({ hash }) => hash)
  const children = others.map((hash) => ({ tx_hash: hash, children: [] }))
  return {
    ...trace,
    trace: { tx_hash: first, children },
    trace_info: { ...trace.trace_info, transactions: MANY },
    transactions_order: all.map(({ hash }) => hash),
    transactions: Object.fromEntries(all.map((one) => [one.hash, one])),
    actions: [],
  }
}

inBrowser(
  () => serve({ withIndex: true, config: { mining: 'manual' } }),
  () => {
    let wallet: WalletContractV4
    let secretKey: Buffer

    beforeAll(async () => {
      ;({ wallet, secretKey } = await fundedWallet(client))
    })
    beforeEach(() => untilIndexed(client, 1))

    async function send() {
      const { seqno = 0 } = await client.getWalletInformation({ address: wallet.address.toRawString() })
      const { utime } = await client.dev.state()
      const order = internal({ to: Address.parse(RECEIVER), value: toNano('1'), bounce: false, body: 'soon' })
      const sendMode = SendMode.PAY_GAS_SEPARATELY
      const body = wallet.createTransfer({ seqno, secretKey, sendMode, messages: [order], timeout: utime + LIFETIME })
      const cell = beginCell()
        .store(storeMessage(external({ to: wallet.address, body })))
        .endCell()
      const sent = await client.v3.message({ boc: cell.toBoc().toString('base64') })
      return { hash: sent.message_hash, norm: sent.message_hash_norm }
    }
    const mine = async (blocks = 1) => untilIndexed(client, (await client.dev.mine({ blocks })).seqno)
    const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')
    const outcome = () => page.getByRole('region', { name: 'Outcome' })
    const status = (text: string) => page.getByRole('status').getByText(text)
    const rows = () => page.locator('.tree-row')
    const waits = () => status('Waits for a block.').waitFor()

    test('by either of its hashes, in any form, it waits for a block, and the search box leads to it', async () => {
      const { hash, norm } = await send()
      expect(hash).not.toBe(norm)
      const paths = [hash, norm].flatMap((name) => [
        `/tx/${hex(name)}`,
        `/trace/${encodeURIComponent(name)}`,
        `/tx/${Buffer.from(name, 'base64').toString('base64url')}`,
      ])
      for (const path of paths) {
        await page.goto(`${service.url}${path}?as=list`)
        await waits()
        expect(await rows().getByText('preview', { exact: true }).count(), path).toBe(2)
        await outcome().getByText('Preview', { exact: true }).waitFor()
        expect(await outcome().getByRole('link').count()).toBe(0)
        await page.getByRole('heading', { name: 'What would happen' }).waitFor()
      }
      for (const text of [hash, hex(norm)]) {
        await page.goto(service.url)
        await page.locator('#q').fill(text)
        await page.keyboard.press('Enter')
        await waits()
      }
      expect(problems).toEqual([])
      await mine()
    })

    test('in a block it is what happened: the step a person is at stays selected, in focus and where it was', async () => {
      await page.setViewportSize({ width: 900, height: 420 })
      const { norm } = await send()
      await page.goto(`${service.url}/trace/${hex(norm)}?as=list&view=messages`)
      await waits()
      await rows().nth(1).click()
      await rows().nth(1).focus()
      const panel = page.getByRole('region', { name: 'Selected transaction' })
      await panel.getByRole('region', { name: 'Received message' }).getByText('soon', { exact: true }).waitFor()
      expect(await panel.getByRole('tab', { name: 'Run again' }).count()).toBe(0)
      await page.evaluate(() => Object.assign(document.activeElement as Element, { isMine: true }))
      const place = () =>
        page.evaluate(() => {
          const { activeElement: at } = document
          return {
            isSame: at !== null && 'isMine' in at,
            isSelected: at?.getAttribute('aria-selected'),
            top: Math.round(at?.getBoundingClientRect().top ?? 0),
            path: location.pathname + location.search,
          }
        })
      const before = await place()
      await mine()
      await status('It is in a block').waitFor()
      await outcome().getByText('Success', { exact: true }).waitFor()
      await page.getByRole('heading', { name: 'What happened' }).waitFor()
      expect(await rows().getByText('preview', { exact: true }).count()).toBe(0)
      expect(await place()).toEqual({ ...before, isSame: true, isSelected: 'true' })
      // The transaction is the real one: it has a hash, and can be run again.
      await panel.getByRole('tab', { name: 'Run again' }).waitFor()
      await panel.getByRole('region', { name: 'Received message' }).getByText('soon', { exact: true }).waitFor()
      expect(problems).toEqual([])
    })

    test('in a block what was unfolded of its preview stays so', async () => {
      const { norm } = await send()
      await page.goto(`${service.url}/trace/${hex(norm)}?as=list&view=raw`)
      await waits()
      await rows().nth(1).click()
      const phase = page.locator('.json summary', { hasText: 'compute_ph' })
      const isOpen = () => phase.evaluate((one) => (one.parentElement as HTMLDetailsElement).open)
      await phase.click()
      await expect.poll(isOpen).toBe(true)
      await mine()
      await page.getByRole('tab', { name: 'Run again' }).waitFor()
      expect(await isOpen()).toBe(true)
    })

    test('one that has expired says so, with the account to look at', async () => {
      const { hash } = await send()
      await page.goto(`${service.url}/tx/${hex(hash)}?as=list`)
      await waits()
      await client.dev.increaseTime({ seconds: LIFETIME * 2 })
      await mine()
      const gone = page.getByRole('status').filter({ hasText: 'does not wait any more' })
      await gone.getByText('It expired').waitFor()
      expect(await gone.locator(`[data-address="${wallet.address.toRawString().toUpperCase()}"]`).count()).toBe(1)
      // What it would have done is still there to compare.
      expect(await rows().count()).toBe(2)
      await page.reload()
      await page.getByText('expired before a block had it').waitFor()
    })

    describe('whose replies are made up', () => {
      /** The preview of a message, and what came of it. */
      async function bothOf(hash: string) {
        const [preview] = (await client.v3.pendingTraces({ ext_msg_hash: [hash] })).traces
        await mine()
        const find = async () => (await client.v3.traces({ msg_hash: [hash], include_actions: true })).traces[0]
        await expect.poll(find, PATIENTLY).toBeDefined()
        const real = await find()
        if (preview === undefined || real === undefined) throw new Error('the trace is gone')
        return { preview, real }
      }

      test('a part that is in a block is told from the rest, which is a preview', async () => {
        const { hash } = await send()
        const { preview, real } = await bothOf(hash)
        const [first = '', second = ''] = preview.transactions_order ?? []
        const begun = { ...preview, trace_id: real.trace_id, transactions: { ...preview.transactions } }
        begun.transactions[first] = { ...(preview.transactions?.[first] as Transaction), emulated: false }
        let part = 0
        await mockMethods(page, /\/tx\//, {
          'v3.pendingTraces': (_, reply) => ({ ...reply, traces: [[preview], [begun], []][part] ?? [] }),
          'v3.traces': (params, reply) => ('msg_hash' in params && part < 2 ? { ...reply, traces: [] } : reply),
        })
        await page.goto(`${service.url}/tx/${hex(hash)}?as=list`)
        await waits()
        const previews = () => rows().getByText('preview', { exact: true }).count()
        expect(await previews()).toBe(2)
        part = 1
        await mine()
        await status('A part is in a block.').waitFor()
        expect(await previews()).toBe(1)
        expect(await page.locator(`.tree-row[data-hash="${second}"]`).getByText('preview').count()).toBe(1)
        part = 2
        await mine()
        await status('It is in a block').waitFor()
        expect(await previews()).toBe(0)
      })

      test('a block that comes between two reads of one view is no reason to say that it is gone', async () => {
        const { hash } = await send()
        const { preview } = await bothOf(hash)
        let isPending = true
        let reads = 0
        await mockMethods(page, /\/tx\//, {
          'v3.pendingTraces': (_, reply) => ({ ...reply, traces: isPending ? [preview] : [] }),
          'v3.traces': (params, reply) => {
            if (!('msg_hash' in params)) return reply
            if (!isPending) reads++
            return isPending || reads === 1 ? { ...reply, traces: [] } : reply
          },
        })
        await page.addInitScript({
          content: `globalThis.said = ''
            new MutationObserver(() => { globalThis.said += document.querySelector('.gone')?.textContent ?? '' })
              .observe(document, { subtree: true, childList: true, characterData: true, attributes: true })`,
        })
        await page.goto(`${service.url}/tx/${hex(hash)}?as=list`)
        await waits()
        isPending = false
        await mine()
        await status('It is in a block').waitFor()
        expect(reads).toBeGreaterThan(1)
        expect(await page.evaluate(() => (globalThis as unknown as { said: string }).said)).toBe('')
      })

      test(`blocks that change nothing in a preview of ${MANY} transactions redraw nothing, and it is read seldom`, async () => {
        await countLinks(page)
        const { hash } = await send()
        const { preview, real } = await bothOf(hash)
        let isPending = true
        let reads = 0
        await mockMethods(page, /\/tx\//, {
          'v3.pendingTraces': (_, reply) => {
            reads++
            return { ...reply, traces: isPending ? [lengthened(preview, reads)] : [] }
          },
          'v3.traces': (params, reply) => ({
            ...reply,
            traces: isPending || !('msg_hash' in params) ? [] : [lengthened(real, 0)],
          }),
        })
        await page.goto(`${service.url}/tx/${hex(hash)}?as=list`)
        await waits()
        await page.getByRole('button', { name: `Show 100 more of ${MANY}` }).click()
        await expect.poll(() => rows().count(), PATIENTLY).toBe(200)
        await rows().nth(150).locator('.tree-call').click()
        await expect.poll(() => rows().nth(150).getAttribute('aria-selected')).toBe('true')
        const shownHead = async () => Number(/block (\d+)/.exec((await page.locator('#head').textContent()) ?? '')?.[1])
        let mined = 0
        const blocks = async () => {
          for (let block = 0; block < 5; block++) {
            mined++
            const { seqno } = await client.dev.mine({})
            await expect.poll(shownHead, PATIENTLY).toBe(seqno)
          }
        }
        // What is still read about its accounts is drawn, too; the bar has a link to each block.
        await expect.poll(() => linksOf(page, blocks), PATIENTLY).toBeLessThanOrEqual(5)
        expect(reads).toBeLessThanOrEqual(4 + mined / 20)
        // Then the rows that are open are drawn once, and no more of them.
        isPending = false
        const drawn = await linksOf(page, async () => {
          await mine()
          await status('It is in a block').waitFor()
        })
        expect(await rows().count()).toBe(200)
        expect(await rows().nth(150).getAttribute('aria-selected')).toBe('true')
        expect(drawn).toBeLessThan(MANY / 4)
        await expect.poll(() => linksOf(page, blocks), PATIENTLY).toBeLessThanOrEqual(5)
      })
    })
  },
)
