import { describe, expect, test } from 'vitest'
import { adaptForTypes } from '../../../../server/docs/adapt.ts'
import { propertiesOf } from '../../../../server/docs/components.ts'
import { createDrawing } from '../../../../server/docs/createDrawing.ts'
import {
  createComponents,
  createDocs,
  type DocumentOrder,
  type DrawDocument,
  landingPage,
  referencePage,
} from '../../../../server/docs/index.ts'
import { prose } from '../../../../server/docs/pages/html.ts'
import { errorTexts } from '../../../../shared/errors.ts'
import { versionOfName } from '../../../../shared/method.ts'
import { type Registry, registry } from '../../../../shared/registry.ts'
import { awkward, facts, NASTY } from '../awkward.ts'

const both = { ...registry, ...awkward } satisfies Registry
const textOf = (page: string) =>
  page
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const idsOf = (page: string) => [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)

const pages = [
  { name: 'landing', page: landingPage(facts, both) },
  { name: 'v2', page: referencePage('v2', both, facts) },
  { name: 'v3', page: referencePage('v3', both, facts) },
  { name: 'v3 without methods', page: referencePage('v3', {}, facts) },
  { name: 'landing without methods', page: landingPage(facts, {}) },
]

describe.each(pages)('$name', ({ page }) => {
  test('foreign text never becomes markup', () => {
    expect(page).not.toContain('<script>')
    expect(page).not.toMatch(/<img src=x|onerror='/)
  })

  test('needs nothing inline and nothing from elsewhere', () => {
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+="|javascript:/)
    for (const [, url] of page.matchAll(/(?:src|<link[^>]*href)="([^"]*)"/g))
      expect(url).toMatch(/^(\/assets\/|data:image)/)
  })

  test('ids are unique, links and labels inside lead somewhere', () => {
    const ids = idsOf(page)
    expect(new Set(ids).size).toBe(ids.length)
    const used = [...page.matchAll(/(?:href="#|for="|labelledby="|describedby=")([^"]+)"/g)]
    for (const [, id] of used) expect(ids).toContain(id)
  })
})

test('a page shows everything without a script', () => {
  const page = referencePage('v2', both, facts)
  const text = textOf(page)
  for (const word of ['X-API-Key', 'api_key', '1,048,576', 'calls per second', '1 without a key'])
    expect(text).toContain(word)
  for (const failure of Object.values(errorTexts)) expect(text).toContain(failure)
  for (const [name, spec] of Object.entries(both)) {
    const here = versionOfName(name) === 'v2'
    expect(idsOf(page).includes(`method-${name}`), name).toBe(here)
    if (here) expect(text).toContain(spec.summary)
  }
  expect(text).toContain(NASTY)
})

test('parameters have type, need, default and bounds', () => {
  const text = textOf(referencePage('v3', both, facts))
  expect(text).toMatch(/account optional\s+array of string \(Address\)/)
  expect(text).toContain('at most 1,000 items; each at most 128 characters')
  expect(text).toMatch(/Maximum rows, 1 to 500\.default 101 to 500/)
  expect(text).toContain('default "desc"')
  const v2 = textOf(referencePage('v2', both, facts))
  expect(v2).toMatch(/address required\s+string \(Address\)/)
  expect(v2).toContain('string | integer')
  expect(v2).toContain('[string, integer]')
})

describe.each(['v2', 'v3'] as const)('results of %s', (version) => {
  const page = referencePage(version, registry, facts)
  const components = createComponents(registry, 'draft-2020-12', adaptForTypes)
  const names = Object.keys(registry).filter((name) => versionOfName(name) === version)

  const sectionOf = (id: string): string => {
    const from = page.indexOf(`id="${id}"`)
    return from < 0 ? '' : page.slice(from, page.indexOf('</article>', from))
  }

  test('each field has a row with its words, with the method or in a shape it links to', () => {
    for (const name of names) {
      const section = sectionOf(`method-${name}`)
      const { result = {} } = components.methods.get(name) ?? {}
      const [, shape] = /#shape-(\w+)/.exec(section.slice(section.indexOf('<h4>Result'))) ?? []
      const shown = section + (shape === undefined ? '' : sectionOf(`shape-${shape}`))
      for (const [field, schema] of propertiesOf(components.resolve(result))) {
        expect(shown, `${name}: ${field}`).toContain(`<code>${field}</code>`)
        const words = components.resolve(schema).description
        if (typeof words === 'string') expect(shown, `${name}: ${field}`).toContain(prose(words).text)
      }
    }
  })

  test('methods that are named, and shapes of parameters, are links', () => {
    const texts = names.map((name) => (registry as Registry)[name]?.description ?? '').join(' ')
    const named = Object.keys(registry).filter(
      (name) => /[A-Z.]/.test(name) && new RegExp(` ${name}(?![.]?\\w)`).test(texts),
    )
    expect(named.length, 'named').toBeGreaterThan(10)
    for (const name of named) expect(page, name).toMatch(new RegExp(`<a href="/api/v[23]/#method-${name}">${name}</a>`))
    expect(page).toMatch(/<td><code>[^/]*<a href="#shape-(Address|AccountFilter)">/)
  })

  test('a shape has one table, and says which fields may be absent', () => {
    const shapes = idsOf(page).filter((id) => id?.startsWith('shape-'))
    expect(shapes.length).toBeGreaterThan(50)
    if (version === 'v2') return
    expect(sectionOf('shape-Transaction')).toMatch(/<code>trace_id<\/code>[^<]*<span[^>]*>may be absent/)
    expect(sectionOf('shape-ActionKind')).toContain('href="#shape-JettonTransferDetails"')
    expect(sectionOf('shape-ComputePhase')).toContain('href="#shape-ExecutedCompute"')
    expect(sectionOf('shape-JettonTransferDetails')).toContain('<code>sender_jetton_wallet</code>')
  })
})

test('calls by each door are shown', () => {
  const text = textOf(referencePage('v2', registry, { ...facts, publicUrl: 'https://ton.example/' }))
  const { params } = registry.detectAddress.example
  expect(text).toContain(`curl 'https://ton.example/api/v2/detectAddress?address=${params.address}'`)
  expect(text).toContain("curl 'https://ton.example/jsonRPC'")
  expect(text).toContain(`-d '{"address":"${params.address}"}'`)
})

test('v3 without methods says so, and has no filter', () => {
  const page = referencePage('v3', {}, facts)
  expect(textOf(page)).toContain('No methods yet')
  expect(page).toContain('data-empty')
  expect(textOf(referencePage('v3', both, facts))).not.toContain('No methods yet')
})

test('the landing page names every address of the service', () => {
  const text = textOf(landingPage(facts, registry))
  const paths = [
    '/jsonRPC',
    'ws /jsonRPC',
    '/api/v2/jsonRPC',
    '/api/v2/',
    '/api/v3/',
    '/openapi/v2.json',
    '/openapi/v3.json',
  ]
  for (const path of [...paths, '/healthz', '/readyz', '/metrics']) expect(text).toContain(path)
  expect(text).toContain("from 'tonrpc/client'")
})

test('createDocs draws each document once', async () => {
  const drawing = createDrawing(both, facts)
  const orders: DocumentOrder[] = []
  const draw: DrawDocument = (order) => {
    orders.push(order)
    return drawing(order)
  }
  const docs = createDocs(both, facts, { draw })
  expect(await docs.openrpc()).toBe(await docs.openrpc())
  expect(await docs.pages.v2()).toBe(referencePage('v2', both, facts))
  expect(await docs.pages.v2()).toContain('</html>')
  expect(JSON.parse(await docs.openapi.v3())).toHaveProperty('info.version', '1.0.0')
  expect(orders.map(({ kind }) => kind)).toEqual(['openrpc', 'reference', 'openapi'])
  expect(docs.assets.get('/assets/reference.css')).toBeDefined()
})

test('with other examples a page is filled again, and not drawn', async () => {
  const drawing = createDrawing(registry, facts)
  let drawn = 0
  const draw: DrawDocument = (order) => {
    drawn++
    return drawing(order)
  }
  let limit = 0
  const examples = async () => ({ 'v3.transactions': { limit: ++limit } })
  const docs = createDocs(registry, facts, { draw, examples })
  for (const shown of [1, 2]) {
    const page = await docs.pages.v3()
    expect(textOf(page)).toContain(`curl 'http://localhost:8081/api/v3/transactions?limit=${shown}'`)
    expect(page).toContain(`&quot;initial&quot;:&quot;${shown}&quot;`)
    expect(page).not.toContain('\0')
  }
  expect(drawn).toBe(1)
})

test('results are plain text in the page: the script colours those that are looked at', () => {
  const page = referencePage('v3', registry, facts)
  expect(page.length).toBeLessThan(880_000)
  expect(page).not.toContain('class="j-')
})
