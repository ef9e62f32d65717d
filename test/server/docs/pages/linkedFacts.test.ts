// What readers without scripts get of the search, of the first page, and of what is not found.

import { expect, test } from 'vitest'
import type { PageFiles } from '../../../../server/docs/pages/shell.ts'
import { shellPage } from '../../../../server/docs/pages/shell.ts'
import type { ServiceFacts } from '../../../../server/docs/serviceFacts.ts'
import { viewOf } from '../../../../shared/explorer/views.ts'
import { registry } from '../../../../shared/registry.ts'

const JETTON = `0:${'AB'.repeat(32)}`
const HASH = 'q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s='
const HEX = 'ab'.repeat(32)
const files: PageFiles = { styles: 's.css', script: 's.js', worker: 'w.js', pages: {}, parts: {} } as never
const facts = { title: 'tonrpc', network: 'devnet', versions: { v2: '2', v3: '3' } } as ServiceFacts

/** The part for readers without scripts, and what sends them on to a page that waits. */
function partsOf(path: string, replies: Readonly<Record<string, unknown>>) {
  const view = viewOf(path, 'devnet')
  if (view === null) throw new Error('no page has this path')
  const shell = {
    view,
    path,
    part: null,
    withoutScripts: '?scripts=off',
    refusal: null,
    theme: null,
    plugin: null,
    boot: {} as never,
    replies: new Map(Object.entries(replies).map(([method, reply]) => [`${method} {}`, JSON.stringify(reply)])),
  }
  const [goesOn, list] = [...shellPage(shell, files, facts).matchAll(/<noscript>(.*?)<\/noscript>/gs)].map(
    ([, text]) => text,
  )
  return list === undefined ? { goesOn: false, list: goesOn ?? '' } : { goesOn: true, list }
}

const NO_HIT = { name: null, symbol: null, account: null, hash: null, block: null, opcode: null, holders: null }

test('the search has its hits as links, with the names of strangers as plain text', () => {
  const results = [
    { ...NO_HIT, type: 'jetton', name: '<b>\u202eDemo\u200b', symbol: 'DEMO', account: JETTON },
    { ...NO_HIT, type: 'block', block: { workchain: -1, shard: '8000000000000000', seqno: 12 } },
    { ...NO_HIT, type: 'transaction', hash: HASH },
    { ...NO_HIT, type: 'message', hash: HASH },
    { ...NO_HIT, type: 'code', hash: HASH },
  ]
  const { list, goesOn } = partsOf('/search', {
    'v3.search': { results, note: 'The nearest', address_book: { [JETTON]: { user_friendly: 'kQjetton' } } },
  })
  expect(goesOn).toBe(false)
  const row = (type: string, path: string, text: string) =>
    `<div><dt>${type}</dt><dd><a dir="auto" href="./${path}">${text}</a></dd></div>`
  expect(list).toContain(row('jetton', `address/${JETTON}`, `&lt;b&gt;Demo · DEMO · address/${JETTON}`))
  expect(list).toContain(row('block', 'block/-1:8000000000000000:12', 'block/-1:8000000000000000:12'))
  expect(list).toContain(`<a dir="auto" href="./tx/${HEX}">`)
  expect(list).toContain(`<a dir="auto" href="./trace/${HEX}">`)
  expect(list).toContain(`<dt>code</dt><dd>${HASH}</dd>`)
  expect(list).toContain('<dt>Note</dt><dd>The nearest</dd>')
})

test('the first page has the newest activity as links', () => {
  const { example } = registry['v3.actions']
  const { list } = partsOf('/', { 'v3.actions': example.result })
  expect(list).toMatch(/<dt>[a-z_]+<\/dt><dd><a dir="auto" href="\.\/trace\/[0-9a-f]{64}">\d{4}-\d\d-\d\d /)
})

test('what is late is waited for', () => {
  expect(partsOf('/search', {})).toMatchObject({ goesOn: true })
  expect(partsOf('/', {})).toMatchObject({ goesOn: true })
  expect(partsOf('/status', {})).toMatchObject({ goesOn: false, list: expect.stringContaining('href="./readyz"') })
})

test('what a path names and nothing is known of, as a mistyped address, leads to the search', () => {
  const mistyped = '0QCp12j6uqmII6AFM5l75YM2nQ6hJecaotDZytNtnLjRGGMy'
  const { list, goesOn } = partsOf(`/address/${mistyped}`, {})
  expect(goesOn).toBe(true)
  expect(list).toContain(`<a dir="auto" href="../search?q=${mistyped}">Nothing is known of it. Search for it</a>`)
  expect(partsOf('/search', {}).list).not.toContain('Nothing is known')
})
