// An operation has one name, wherever a page shows it: in lists, in the graph of a trace, in what a search finds.

import { beforeEach, expect, test } from 'vitest'
import { beginCell, writeBoc } from '../../../server/cell/index.ts'
import { client, inBrowser, page, serveIndexed, service } from '../../setup/explorerScene.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const OPCODE = 0x0f8a7ea5
const KNOWN = 'jetton transfer'
/** Of no schema of the service. */
const OTHER = 0x7e8764ef
/** One protocol has it in its schemas, and contracts of all kinds for something else. */
const SMALL = 6

const bodyOf = (opcode: number): string =>
  Buffer.from(writeBoc(beginCell().storeUint(opcode, 32).storeUint(7, 64).end())).toString('base64')

inBrowser(serveIndexed, () => {
  let requests: string[]

  beforeEach(() => {
    requests = []
    page.on('request', (request) => requests.push(`${request.url()} ${request.postData() ?? ''}`))
  })

  const walletOf = async (name: string) => {
    const { accounts } = await client.dev.state()
    return accounts.find((account) => account.name === name)?.friendly ?? ''
  }
  /** A call of a wallet, which takes any body. */
  const call = async (to: string, opcode: number): Promise<string> => {
    const from = await walletOf('wallet1')
    const sent = { from, to, value: '50000000', body: bodyOf(opcode), bounce: false }
    const { tx_hash: hash = '', seqno } = await client.dev.sendInternal(sent)
    await untilIndexed(client, seqno)
    return Buffer.from(hash, 'base64').toString('hex')
  }

  /** What each place says of the call of an account. */
  const places = async (account: string, hash: string): Promise<Record<string, string>> => {
    const said: Record<string, string> = {}
    const read = async (name: string, at: string, where: string) => {
      await page.goto(service.url + at)
      await page.locator(where).first().waitFor()
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
      said[name] = (await page.locator(where).first().textContent()) ?? ''
    }
    await read('first page', '/', '.rows .row:first-child .sentence')
    await read('history', `/address/${account}`, '.history-row .sentence')
    await read('history of a kind', `/address/${account}?kind=calls`, '.history-row .sentence')
    await read('table of transactions', `/address/${account}?tab=transactions`, '#main tbody tr')
    await read('sentence of the trace', `/tx/${hash}`, '.actions .sentence')
    await read('graph', `/tx/${hash}?as=graph`, '.node.selected, .node')
    await read('list', `/tx/${hash}?as=list`, '.tree-call')
    await read('message', `/tx/${hash}?view=messages`, '.panel .facts')
    return said
  }

  test('a name that the service knows is in every place, and on the first view without a further call', async () => {
    const account = await walletOf('wallet2')
    await page.goto(service.url)
    await page.locator('#activity').waitFor()
    const hash = await call(account, OPCODE)
    // A row that comes while the page is open.
    await page.locator('.rows .row .sentence', { hasText: `called ${KNOWN} of wallet2` }).waitFor()
    const said = await places(account, hash)
    expect(Object.entries(said).filter(([, text]) => !text.includes(KNOWN))).toEqual([])
    requests.length = 0
    const named = async () => {
      await page.goto(service.url)
      await page.locator('.rows .row .sentence', { hasText: KNOWN }).first().waitFor()
      return requests.splice(0).filter((request) => request.includes('v3.decode')).length
    }
    await expect.poll(named).toBe(0)
    await page.goto(`${service.url}/search?q=0x0f8a7ea5`)
    await page.locator('#main strong', { hasText: KNOWN }).waitFor()
  })

  test('a small number that a single protocol has a name for is shown as it is, in every place', async () => {
    const account = await walletOf('wallet4')
    const said = await places(account, await call(account, SMALL))
    expect(Object.entries(said).filter(([, text]) => !text.includes('0x00000006'))).toEqual([])
    await page.goto(`${service.url}/search?q=0x00000006`)
    await page.locator('#main p', { hasText: /^Opcode 0x00000006$/ }).waitFor()
  })

  test("the name in the receiver's own description comes first, in every place", async () => {
    const account = await walletOf('wallet3')
    const hash = await call(account, OPCODE)
    const unknown = await call(account, OTHER)
    const said = await places(account, unknown)
    const hex = Object.entries(said).filter(([, text]) => !text.includes('0x7e8764ef'))
    expect(hex).toEqual([])
    await page.goto(`${service.url}/address/${account}?tab=contract`)
    await page.getByLabel('Or as text').fill('till#0f8a7ea5 query_id:uint64 = Msg\npay#7e8764ef query_id:uint64 = Msg')
    await page.getByRole('button', { name: 'Add the ABI' }).click()
    await page.getByRole('button', { name: 'Remove the ABI' }).waitFor()
    await expect
      .poll(async () => Object.values(await places(account, unknown)).filter((text) => !text.includes('pay')))
      .toEqual([])
    await page.goto(`${service.url}/tx/${hash}`)
    await page.locator('.actions .sentence', { hasText: 'called till of wallet3' }).waitFor()
    expect(await page.locator('.node').first().textContent()).toContain('till')
    // Another code keeps the name of the service, though a description has another one.
    const other = await walletOf('wallet5')
    const theirs = await call(other, OPCODE)
    await page.goto(`${service.url}/tx/${theirs}`)
    await page.locator('.actions .sentence', { hasText: `called ${KNOWN} of wallet5` }).waitFor()
    expect(await page.locator('.node').first().textContent()).toContain(KNOWN)
    await page.goto(service.url)
    await page.locator('.rows .row .sentence', { hasText: `called ${KNOWN} of wallet5` }).waitFor()
    await page.locator('.rows .row .sentence', { hasText: 'called till of wallet3' }).waitFor()
  })
})
