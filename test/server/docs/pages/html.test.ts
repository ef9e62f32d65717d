import { expect, test } from 'vitest'
import { escapeHtml, html, prose } from '../../../../server/docs/pages/html.ts'
import { NASTY } from '../awkward.ts'

test('foreign text is escaped in content and attributes', () => {
  expect(escapeHtml(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;')
  expect(html`<p title="${NASTY}">${[NASTY, 1]}</p>`.text).not.toMatch(/<script|<img|onerror='/)
})

test('finished pieces stay as they are, nothing is written for nothing', () => {
  expect(html`${html`<b>${'<'}</b>`}${false}${null}${undefined}${0}`.text).toBe('<b>&lt;</b>0')
})

test('words between backticks are code', () => {
  expect(prose('a `<b>` c ` d').text).toBe('a <code>&lt;b&gt;</code> c ` d')
})
