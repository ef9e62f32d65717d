// A page that stays open shows what changed without a transaction of its account: what others hold for it, a state that was
// set, the rest of a trace; and what the chain, the search and the console have besides.

import { Address, beginCell, Cell, Dictionary } from '@ton/core'
import { beforeEach, expect, test } from 'vitest'
import { writeBocText } from '../../../server/cell/index.ts'
import { jettonTransferBody, nftTransferBody } from '../../../server/demo/contracts/index.ts'
import { client, inBrowser, open, page, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'
import { serve } from '../../setup/service.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const NEW = `0:${'AB'.repeat(32)}`
const textOf = (cell: Cell): string => cell.toBoc().toString('base64')
/** What a transfer says besides, of which nobody is told. */
const silentTo = (address: string) => {
  const { workChain: workchain, hash } = Address.parse(address)
  return { queryId: 0n, to: { workchain, hash }, responseTo: null }
}

inBrowser(
  () => serve({ withIndex: true, config: { mining: 'manual' } }),
  () => {
    beforeEach(() => untilIndexed(client, 1))

    /** As many blocks as a transfer has messages: on a busy machine each takes one of them. */
    const mine = async () => untilIndexed(client, (await client.dev.mine({ blocks: 6 })).seqno)
    const accountOf = async (wanted: string): Promise<string> =>
      (await client.dev.state()).accounts.find(({ name }) => name === wanted)?.address ?? ''
    const lastOf = async (address: string) =>
      (await client.v3.accountStates({ address: [address] })).accounts[0]?.last_transaction_lt
    /** What the row of a name has. */
    const amountOf = (name: string) =>
      page
        .locator('[role="tabpanel"] tbody tr', { has: page.getByText(name, { exact: true }) })
        .locator('.number')
        .first()
        .textContent()

    /** Sends jettons without a word to who gets them, and mines. */
    async function pass(from: string, to: string, jettons: bigint, wallet: string): Promise<void> {
      const body = writeBocText(jettonTransferBody({ ...silentTo(to), amount: jettons }))
      await client.dev.sendInternal({ from, to: wallet, value: '200000000', body })
      await mine()
    }

    test('holders of a jetton and tokens of an account follow a transfer between others', async () => {
      const from = await accountOf('wallet6')
      const to = await accountOf('wallet7')
      const { master, wallet } = await client.dev.jetton({ address: from, amount: '9000000000' })
      await mine()
      await client.dev.jetton({ address: to, amount: '1000000000' })
      await mine()
      const before = [await lastOf(master), await lastOf(to)]
      await open(`/address/${master}?tab=holders`)
      await expect.poll(() => amountOf('wallet6')).toBe('9 DEMO')
      await pass(from, to, 4_000_000_000n, wallet)
      await expect.poll(() => amountOf('wallet6')).toBe('5 DEMO')
      expect(await amountOf('wallet7')).toBe('5 DEMO')
      await open(`/address/${to}?tab=tokens`)
      await expect.poll(() => amountOf('Demo Jetton')).toBe('5 DEMO')
      await pass(from, to, 2_000_000_000n, wallet)
      await expect.poll(() => amountOf('Demo Jetton')).toBe('7 DEMO')
      expect([await lastOf(master), await lastOf(to)]).toEqual(before)
    })

    test('items of an account follow a transfer that its item alone has', async () => {
      const from = await accountOf('wallet6')
      const to = await accountOf('wallet8')
      const { item } = await client.dev.nft({ address: from })
      await mine()
      await open(`/address/${to}?tab=nfts`)
      await page.getByText('owns no NFTs').waitFor()
      const body = writeBocText(nftTransferBody(silentTo(to)))
      await client.dev.sendInternal({ from, to: item, value: '200000000', body })
      await mine()
      await page.locator('.grid .item').waitFor()
      expect(await page.getByText('owns no NFTs').count()).toBe(0)
    })

    test('a state that was set is shown as code, data and results, and the method to run is one of the new code', async () => {
      const [{ code_boc: code = '', data_boc: data = '' } = {}] = (
        await client.v3.accountStates({ address: [await accountOf('wallet4')], include_boc: true })
      ).accounts
      const name = page.getByLabel('Name or id')
      await client.dev.faucet({ address: NEW, amount: '1000000000' })
      await mine()
      await open(`/address/${NEW}?tab=methods`)
      await page.getByText('No get-methods are known.').waitFor()
      expect(await name.inputValue()).toBe('')
      await client.dev.setAccount({ address: NEW, code, data })
      await mine()
      await expect.poll(() => name.inputValue()).toMatch(/^[a-z_]+$/)
      const result = page.locator('.methods .facts > div', { hasText: 'seqno' }).locator('dd')
      await expect.poll(() => result.textContent()).toMatch(/^0/)
      const sizeButton = page.getByRole('button', { name: 'Show the size' })
      await sizeButton.click()
      await sizeButton.waitFor({ state: 'detached' })
      // What a person clears stays empty.
      await name.fill('')
      const body = beginCell().storeUint(7, 32).storeUint(1, 32).storeUint(5n, 256).storeUint(0, 1).endCell()
      await client.dev.setAccount({ address: NEW, data: textOf(body) })
      await mine()
      await expect.poll(() => result.textContent()).toMatch(/^7/)
      expect(await name.inputValue()).toBe('')
      // What was read is of an older state.
      await sizeButton.waitFor()
      await open(`/address/${NEW}?tab=contract`)
      const hash = () => page.getByRole('region', { name: 'Data' }).locator('.hash').first().textContent()
      await expect.poll(hash).toBe(body.hash().toString('hex'))
      await client.dev.setAccount({ address: NEW, data })
      await mine()
      await expect.poll(hash).not.toBe(body.hash().toString('hex'))
    })

    test('a trace that had not ended says so until it has, though the account has no part in its end', async () => {
      const address = `0:${'CD'.repeat(32)}`
      await client.dev.faucet({ address, amount: '1000000000' })
      await mine()
      let hasEnded = false
      await mockReplies(page, /\/address\//, 'v3.traces', (_, real) => ({
        ...real,
        traces: real.traces.map((one) => ({
          ...one,
          trace_info: { ...one.trace_info, trace_state: hasEnded ? ('complete' as const) : ('pending' as const) },
        })),
      }))
      await open(`/address/${address}`)
      const badge = page.locator('.history-row .tail .badge')
      await expect.poll(() => badge.textContent()).toBe('pending')
      hasEnded = true
      await mine()
      await badge.waitFor({ state: 'detached' })
    })

    test('a configuration that the chain changed is shown', async () => {
      const address = `-1:${'5'.repeat(64)}`
      const [{ data_boc: data = '' } = {}] = (await client.v3.accountStates({ address: [address], include_boc: true }))
        .accounts
      const before = Cell.fromBase64(data)
      const [first = Cell.EMPTY, ...others] = before.refs
      const params = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), first)
      params.set(4711, beginCell().storeUint(1, 8).endCell())
      const after = beginCell().storeBits(before.bits).storeRef(beginCell().storeDictDirect(params).endCell())
      for (const other of others) after.storeRef(other)
      await open('/config')
      await page.locator('#param-34').waitFor()
      await client.dev.setAccount({ address, data: textOf(after.endCell()) })
      await mine()
      await page.locator('#param-4711').waitFor()
    })

    test('messages with an opcode follow the chain', async () => {
      const body = textOf(beginCell().storeUint(0x0badcafe, 32).endCell())
      await open('/search?q=0x0badcafe')
      await page.getByText('No message with this opcode').waitFor()
      await client.dev.sendInternal({ from: NEW, to: NEW, value: '100000000', body, bounce: false })
      await mine()
      await page.locator('#main tbody tr').first().waitFor()
    })

    test('a list that is repeated in the address of a call has all its values in its field', async () => {
      const accounts = [NEW, `0:${'EF'.repeat(32)}`]
      const query = new URLSearchParams(accounts.map((one) => ['address', one]))
      await page.goto(`${service.url}/console/v3.accountStates?${query}`)
      await page.locator('#param-address').waitFor()
      expect(await page.locator('#param-address').inputValue()).toBe(accounts.join('\n'))
    })

    test('each parent of a block after a merge is a line of its own, and the state before all blocks is none', async () => {
      const parents = page
        .locator('.facts > div', { has: page.getByText('Parents', { exact: true }) })
        .locator('dd > *')
      await mine()
      await open('/block/1')
      expect(await parents.count()).toBe(0)
      await mockReplies(page, /\/block\//, 'v3.blocks', (_, real) => ({
        ...real,
        blocks: real.blocks.map((block) => ({
          ...block,
          prev_blocks: ['4000000000000000', 'C000000000000000'].map((shard) => ({ workchain: 0, shard, seqno: 7 })),
        })),
      }))
      await open('/block/2')
      expect(await parents.allTextContents()).toEqual(['0:4000000000000000:7', '0:C000000000000000:7'])
    })
  },
)
