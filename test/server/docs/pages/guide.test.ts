// Guides as pages: rendered from the repository's files, linked, without raw HTML.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDrawing } from '../../../../server/docs/createDrawing.ts'
import { createDocs } from '../../../../server/docs/index.ts'
import { pageLink, renderMarkdown } from '../../../../server/docs/pages/markdown.ts'
import { viewOf } from '../../../../shared/explorer/views.ts'
import { registry } from '../../../../shared/registry.ts'
import { GUIDES } from '../../../setup/documents.ts'
import { root } from '../../../setup/runningService.ts'
import { facts } from '../awkward.ts'

const { guides } = createDocs(registry, facts, { draw: createDrawing(registry, facts) })
const render = (text: string) => renderMarkdown(text, facts).content.text

test('every file of the folder has a page, and the index links it', async () => {
  const files = readdirSync(join(root, GUIDES)).map((name) => name.replace(/\.md$/, ''))
  expect([...guides.names].sort()).toEqual(files.sort())
  const index = await guides.index()
  for (const name of files) expect(index).toContain(`href="/docs/${name}"`)
})

test.each(guides.names)('%s: links lead to pages, paths of this service and anchors that exist', async (name) => {
  const page = await guides.page(name)
  const links = [...page.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href)
  const lost = await Promise.all(links.map(async (href) => (await leads(href, page)) || href))
  expect(lost.filter((href) => href !== true)).toEqual([])
  expect(page).not.toMatch(/<script(?! type="module" src="\/assets\/)| style="| on\w+="|<!--/)
})

const PATHS = /^\/($|api\/v[23]\/|docs\/$|openapi\/|assets\/)/

async function leads(href: string, page: string): Promise<boolean> {
  const [, other, anchor] = /^(?:\/docs\/([\w-]+))?(?:#(.*))?$/.exec(href) ?? []
  if (other === undefined && anchor === undefined)
    return PATHS.test(href) || viewOf(href, 'devnet') !== null || /^(https:|data:image)/.test(href)
  if (other !== undefined && !guides.names.includes(other)) return false
  const target = other === undefined ? page : await guides.page(other)
  return anchor === undefined || target.includes(` id="${anchor}"`)
}

test('links: of a file, of the local service, of elsewhere, of nothing good', () => {
  expect(pageLink('dapps.md')).toBe('/docs/dapps')
  expect(pageLink('dapps.md#the-client')).toBe('/docs/dapps#the-client')
  expect(pageLink('http://localhost:8081/api/v3/')).toBe('/api/v3/')
  expect(pageLink('https://example.org/a.md')).toBe('https://example.org/a.md')
  expect(pageLink('#here')).toBe('#here')
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', '../../../LICENSE', '//elsewhere.org'])
    expect(pageLink(bad)).toBeNull()
})

test('raw HTML is left out, text of code and headings is escaped', () => {
  expect(render('a <b onclick="x()">bold</b> word\n\n<script>alert(1)</script>\n')).not.toMatch(/<b|<script/)
  expect(render('`<img src=x>` and [<i>](javascript:alert(1)) ![<u>](x.png)')).not.toMatch(/<(img|i|u)\b|javascript/)
  expect(render('```sh\ncurl <script> http://localhost:8081/\n```\n')).toContain('&lt;script&gt;')
  expect(render('## A `<b>` title')).toMatch(/^<h2 id="a-b-title">A <code>&lt;b&gt;<\/code> title<\/h2>/)
})

test('error: a guide that is not there', async () => {
  await expect(guides.page('nothing')).rejects.toThrow(/nothing/)
})
