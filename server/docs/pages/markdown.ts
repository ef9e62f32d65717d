// Markdown as pieces of a page. Raw HTML is left out, and links lead to pages of the service: a guide's file to its page,
// the address of a local service to the path on this one.

import { Marked, type Tokens } from 'marked'
import type { ServiceFacts } from '../serviceFacts.ts'
import { escapeHtml, Html, html } from './html.ts'
import { codeBlock, FALLBACK_ORIGIN, sample } from './renderPage.ts'

export interface Heading {
  readonly depth: number
  readonly id: string
  readonly title: string
}

export interface RenderedMarkdown {
  readonly content: Html
  readonly headings: readonly Heading[]
}

/** The anchor GitHub gives a heading, so that one link works in both places. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const GUIDE_FILE = /^([\w-]+)\.md(#.*)?$/

/** Null for an address pages must not lead to, such as `javascript:`. */
export function pageLink(href: string): string | null {
  const [, guide, anchor = ''] = GUIDE_FILE.exec(href) ?? []
  if (guide !== undefined) return `/docs/${guide}${anchor}`
  if (href === FALLBACK_ORIGIN || href.startsWith(`${FALLBACK_ORIGIN}/`))
    return href.slice(FALLBACK_ORIGIN.length) || '/'
  return /^(?:https?:\/\/|#)/.test(href) ? href : null
}

const LABELS: Readonly<Record<string, string>> = { sh: 'Command', json: 'JSON', js: 'JavaScript', ts: 'TypeScript' }
/** Drawings keep their lines, code may wrap. */
const DRAWING = 'text'

export function renderMarkdown(text: string, facts: ServiceFacts): RenderedMarkdown {
  const headings: Heading[] = []
  const labels = new Map<string, number>()
  /** Each region of a page has a name of its own. */
  const labelled = (kind: string): string => {
    const count = (labels.get(kind) ?? 0) + 1
    labels.set(kind, count)
    return count === 1 ? kind : `${kind} ${count}`
  }
  const marked = new Marked({
    renderer: {
      html: () => '',
      image: ({ text: alternative }) => escapeHtml(alternative),
      heading({ depth, text: title, tokens }) {
        const id = anchorOf(title)
        headings.push({ depth, id, title: title.replaceAll('`', '') })
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        const target = pageLink(href)
        return target === null ? words : `<a href="${escapeHtml(target)}">${words}</a>`
      },
      code: ({ text: code, lang = '' }: Tokens.Code) =>
        codeBlock(labelled(LABELS[lang] ?? 'Text'), sample(code, facts), lang === DRAWING ? 'data' : 'sample').text,
      table({ header, rows }) {
        const cells = (row: Tokens.TableCell[], tag: 'th' | 'td') =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>\n`).join('')
        return `${scroll(labelled('Table'))}<table>\n<thead><tr>${cells(header, 'th')}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  const content = new Html(marked.parse(text, { async: false }))
  return { content, headings }
}

/** A wide table is scrolled by keyboard too. */
const scroll = (label: string): string =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">`.text
