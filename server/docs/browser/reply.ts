// From a reply to the page.

import { coloured } from './colour.ts'
import { withCopy } from './copy.ts'
import { element, ROOT } from './dom.ts'
import { currentKey } from './key.ts'
import { jsonOr, type Outgoing } from './outgoingCall.ts'

const TIMEOUT_MS = 30_000
/** Characters of a reply that are shown, and of those, how many are coloured. */
const SHOWN = 200_000
const COLOURED = 30_000
const SHOWN_HEADERS = /^(x-)?ratelimit|^retry-after$|^x-api-version$|^x-request-id$/

/** Indents JSON text without reading it into values, so that no long number loses a digit. */
function indented(text: string): string {
  const pieces: string[] = []
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|[^\s"[\]{},:]+/g)) {
    if (token === '{' || token === '[') {
      depth++
      pieces.push(token, line())
    } else if (token === '}' || token === ']') {
      depth--
      pieces.push(line(), token)
    } else if (token === ',') pieces.push(token, line())
    else pieces.push(token === ':' ? ': ' : token)
  }
  return pieces.join('')
}

function bodyNodes(text: string): { nodes: Node[]; note: string } {
  const isJson = text !== '' && jsonOr(text, undefined) !== undefined
  const pretty = isJson ? indented(text) : text
  const shown = pretty.slice(0, SHOWN)
  const nodes = isJson && shown.length <= COLOURED ? coloured(shown) : [new Text(shown)]
  const note =
    shown.length < pretty.length
      ? `Cut: ${shown.length.toLocaleString('en')} of ${pretty.length.toLocaleString('en')} characters are shown.`
      : ''
  return { nodes, note }
}

function showReply(panel: HTMLElement, response: Response, text: string, ms: number): void {
  const headers = [...response.headers].filter(([name]) => SHOWN_HEADERS.test(name))
  const { nodes, note } = bodyNodes(text)
  const size = new Blob([text]).size.toLocaleString('en')
  panel.replaceChildren(
    element(
      'p',
      { class: 'status', role: 'status' },
      element('strong', { class: response.ok ? 'good' : 'bad' }, `${response.status} ${response.statusText}`.trim()),
      ` ${ms} ms · ${size} bytes`,
    ),
    element(
      'ul',
      { class: 'headers', 'aria-label': 'Reply headers' },
      ...headers.map(([name, value]) => element('li', {}, element('code', {}, `${name}: ${value}`))),
    ),
    withCopy(
      element('pre', { tabindex: 0, role: 'region', 'aria-label': 'Reply' }, element('code', {}, ...nodes)),
      text,
    ),
    ...(note === '' ? [] : [element('p', { class: 'note' }, note)]),
  )
}

/** By panel: a reply to an older call comes too late. */
const newest = new WeakMap<HTMLElement, Outgoing>()

export async function sendCall(call: Outgoing, panel: HTMLElement): Promise<void> {
  const key = currentKey()
  const started = performance.now()
  newest.set(panel, call)
  panel.replaceChildren(element('p', { class: 'status', role: 'status' }, 'Waiting for the reply…'))
  try {
    const response = await fetch(ROOT + call.path, {
      method: call.verb,
      headers: {
        ...(call.body === null ? {} : { 'Content-Type': 'application/json' }),
        ...(key === '' ? {} : { 'X-API-Key': key }),
      },
      body: call.body,
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (newest.get(panel) === call) showReply(panel, response, text, Math.round(performance.now() - started))
  } catch (error) {
    if (newest.get(panel) !== call) return
    const late = error instanceof DOMException && error.name === 'TimeoutError'
    const cause = error instanceof Error ? error.message : String(error)
    const text = late ? `No reply within ${TIMEOUT_MS / 1000} s.` : `The call did not get through: ${cause}`
    panel.replaceChildren(element('p', { class: 'status bad', role: 'alert' }, text))
  }
}
