// HTML with one way in for foreign text: every value put into the template is escaped, unless it is itself a piece of
// finished HTML made here.

/** A finished piece of HTML. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | boolean | null | undefined | readonly Part[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char)

function write(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(write).join('')
  return part === null || part === undefined || typeof part === 'boolean' ? '' : escapeHtml(String(part))
}

/** Nothing is written for `false`, `null` and `undefined`; lists are written one after another. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, index) => text + write(parts[index])).join(''))

/** A sentence with its words between backticks as code. */
export const prose = (text: string): Html =>
  html`${text.split(/`([^`]+)`/).map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`))}`
