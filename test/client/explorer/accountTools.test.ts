// What a person does on the page of an account: describes its code by a file, and runs its get-methods.

import { Address, beginCell, Cell, type TupleReader } from '@ton/core'
import { runTolkCompiler } from '@ton/tolk-js'
import { TonClient, TonClient4 } from '@ton/ton'
import { expect, test } from 'vitest'
import { client, inBrowser, open, page, serveIndexed } from '../../setup/explorerScene.ts'

const SHAPES = `
tolk 1.3

fun onInternalMessage(in: InMessage) {}

get fun get_sum(pair: [int, [int]], extra: cell?): (int, [int, [int]], cell?) {
    return (pair.0 + pair.1.0, pair, extra);
}

get fun get_twice(value: int): int {
    return value * 2;
}
`

async function compiled(source: string): Promise<string> {
  const result = await runTolkCompiler({ entrypointFileName: 'main.tolk', fsReadCallback: () => source })
  if (result.status === 'error') throw new Error(result.message)
  return result.codeBoc64
}

const bagOf = (cell: Cell): string => cell.toBoc().toString('base64')

/** Runs lines as a program of a person would. */
async function stackOf(lines: string): Promise<TupleReader> {
  const code = lines.replace(/^import .*$/gm, '')
  const names = { Address, Cell, TonClient, TonClient4, beginCell }
  const body = `return (async () => { ${code}; return stack })()`
  return new Function(...Object.keys(names), body)(...Object.values(names))
}

inBrowser(serveIndexed, () => {
  const keepCopies = () =>
    page.addInitScript(() => {
      const copied: string[] = []
      Object.assign(globalThis, { copied })
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text: string) => copied.push(text) } })
    })
  /** What was copied last. */
  const copied = () => page.evaluate(() => (globalThis as unknown as { copied: string[] }).copied.at(-1) ?? '')

  test('an ABI that is dropped on the page of an account names its messages, and other files are refused', async () => {
    const { accounts } = await client.dev.state()
    const { friendly = '' } = accounts.find(({ name }) => name === 'wallet3') ?? {}
    await open(`/address/${friendly}`)
    // The index may not have come to it yet.
    await page.locator('.facts').getByText('active', { exact: true }).waitFor()
    const drop = (text: string) =>
      page.evaluate((content) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([content], 'contract.abi'))
        const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
        return document.querySelector('h1')?.dispatchEvent(event)
      }, text)
    const says = (text: string) => page.locator('.toasts').getByText(text).first().waitFor()
    // The browser does not leave the page for the file.
    expect(await drop('{"no": "abi"}')).toBe(false)
    await says('This JSON is no ABI')
    await drop('pay#7e8764ef query_id:uint64 = Msg')
    await says('Added 1 message of ')
    await says('for 1 code')
    await page.getByRole('tab', { name: 'Contract' }).click()
    await page.getByRole('button', { name: 'Remove the ABI' }).click()
    const listed = ['11', '22'].map((byte) => byte.repeat(32))
    const tact = { name: 'Till', types: [{ name: 'Pay', header: 7, fields: [] }] }
    await drop(JSON.stringify({ compiler_abi: tact, code_hashes: listed }))
    await says('of Till for 2 codes')
    await page.getByText('All ABIs of this browser').click()
    await page.getByRole('button', { name: 'Export 2 ABIs' }).waitFor()
  })

  test('a get-method runs at a block of before, and its call is copied with its arguments', async () => {
    await keepCopies()
    const { accounts, head } = await client.dev.state()
    const { friendly = '' } = accounts.find(({ kind }) => kind === 'v4r2') ?? {}
    await open(`/address/${friendly}?tab=methods`)
    await page.getByLabel('Name or id').fill('get_public_key')
    await page.getByLabel('At masterchain block').fill(String(head.seqno))
    const sent = page.waitForRequest((request) => (request.postData() ?? '').includes(`"seqno":${head.seqno}`))
    await page.getByRole('button', { name: 'Run' }).click()
    await sent
    await page.getByText('exit 0').waitFor()
    await page.getByRole('button', { name: 'Add an argument' }).click()
    await page.getByLabel('Argument 1', { exact: true }).fill('0x2a')
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await expect.poll(copied).toContain(`"stack":[{"type":"num","value":"0x2a"}],"seqno":${head.seqno}`)
    await page.getByLabel('At masterchain block').fill(String(head.seqno + 1_000_000))
    await page.getByRole('button', { name: 'Remove argument 1' }).click()
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('At masterchain block').fill('12a')
    await page.getByRole('button', { name: 'Copy as @ton/ton' }).click()
    await page.locator('.toasts').getByText('“12a” is no number of a block.').waitFor()
    await page.getByRole('button', { name: 'get_public_key' }).first().click()
    await page.getByRole('alert').getByText('“12a” is no number of a block.').waitFor()
  })

  test('the name of a get-method is understood as it is copied', async () => {
    const { accounts } = await client.dev.state()
    const { friendly = '' } = accounts.find(({ kind }) => kind === 'v4r2') ?? {}
    await open(`/address/${friendly}?tab=methods`)
    for (const text of ['seqno ', ' seqno()\t']) {
      await page.getByLabel('Name or id').fill('nothing')
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByText('exit 11').waitFor()
      await page.getByLabel('Name or id').fill(text)
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByText('exit 0').waitFor()
    }
  })

  test('a hexadecimal number is the id of a get-method, on the page and in the lines that are copied', async () => {
    await keepCopies()
    const { accounts } = await client.dev.state()
    const { friendly = '' } = accounts.find(({ kind }) => kind === 'v4r2') ?? {}
    await open(`/address/${friendly}?tab=methods`)
    await page.getByLabel('Name or id').fill('0x14c97')
    await page.locator('.methods form').getByText('id 85143', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('exit 0').waitFor()
    await page.getByRole('button', { name: 'Copy as a wrapper' }).click()
    await expect.poll(copied).toContain('provider.get(0x14c97, [])')
  })

  test('null and tuples are arguments, and the lines for @ton/ton answer what the page shows', async () => {
    await keepCopies()
    const account = `0:${'5A'.repeat(32)}`
    await client.dev.setAccount({
      address: account,
      balance: '1000000000',
      code: await compiled(SHAPES),
      data: bagOf(beginCell().endCell()),
    })
    await client.dev.mine({ blocks: 1 })
    await open(`/address/${account}?tab=methods`)
    const choose = async (at: number, kind: string, text: string) => {
      await page.getByRole('button', { name: 'Add an argument' }).click()
      await page.getByLabel(`Kind of argument ${at}`).selectOption(kind)
      if (kind !== 'null') await page.getByLabel(`Argument ${at}`, { exact: true }).fill(text)
    }
    const run = () => page.getByRole('button', { name: 'Run' }).click()
    const lines = async (name: string) => {
      const before = await copied()
      await page.getByRole('button', { name: `Copy as ${name}` }).click()
      await expect.poll(copied).not.toBe(before)
      return copied()
    }
    await page.getByLabel('Name or id').fill('get_sum')
    await choose(1, 'tuple', '[40, ["0x2"]')
    await run()
    await page.getByRole('alert').getByText('A tuple is written as JSON').waitFor()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.locator('.toasts').getByText('A tuple is written as JSON').waitFor()
    expect(await copied()).toBe('')
    await page.getByLabel('Argument 1', { exact: true }).fill('[40, ["0x2"]]')
    await choose(2, 'null', '')
    await run()
    await page.locator('.outcome').getByText('0x2a', { exact: true }).waitFor()
    expect(await page.locator('.outcome > .stack-items > li').count()).toBe(3)
    const ton = await lines('@ton/ton')
    expect(ton).toContain('TonClient4')
    expect((await stackOf(ton)).readBigNumber()).toBe(42n)
    const wrapper = await lines('a wrapper')
    expect(wrapper).toContain('async getSum(provider: ContractProvider)')
    expect(wrapper).toContain('[stack.readBigNumber(), stack.readTuple(), stack.pop()] as const')
    // Without null and tuples the older client is enough.
    await page.getByLabel('Name or id').fill('get_twice')
    await page.getByRole('button', { name: 'Remove argument 2' }).click()
    await page.getByLabel('Kind of argument 1').selectOption('number')
    await page.getByLabel('Argument 1', { exact: true }).fill('-0x15')
    await run()
    await page.locator('.outcome').getByText('-0x2a', { exact: true }).waitFor()
    const simple = await lines('@ton/ton')
    expect(simple).not.toContain('TonClient4')
    expect((await stackOf(simple)).readBigNumber()).toBe(-42n)
  })
})
