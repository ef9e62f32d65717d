import { describe, expect, test } from 'vitest'
import { escapeHtml, highlightJson, html, prose } from '../../../../server/docs/pages/html.ts'
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

describe('highlightJson', () => {
  const strip = (text: string) => text.replaceAll(/<[^>]*>/g, '')

  test('changes nothing but colours', () => {
    const json = JSON.stringify({ 'a"b': [1, -2.5e3, true, null, 'x: "y", <z>', '\\'], [NASTY]: {} }, null, 2)
    expect(strip(highlightJson(json).text)).toBe(escapeHtml(json))
  })

  test('keys, texts and values', () => {
    expect(highlightJson('{"a": "b", "c": 1}').text).toBe(
      '{<span class="j-key">&quot;a&quot;</span>: <span class="j-text">&quot;b&quot;</span>, <span class="j-key">&quot;c&quot;</span>: <span class="j-value">1</span>}',
    )
  })
})
