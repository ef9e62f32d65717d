// What a reference page does beyond being read: filters its methods, builds a form for each, sends the call through the
// chosen door and shows the reply. Foreign text only ever becomes text nodes. The key lives in this tab.

import type { CallData, Door, Field } from './callData.ts'

interface Outgoing {
  readonly verb: 'GET' | 'POST'
  readonly path: string
  readonly body: string | null
}

const KEY_NAME = 'tonrpc.key'
const TIMEOUT_MS = 30_000
/** Characters of a reply that are shown, and of those, how many are coloured. */
const SHOWN = 200_000
const COLOURED = 30_000
const SHOWN_HEADERS = /^(x-)?ratelimit|^retry-after$|^x-api-version$|^x-request-id$/

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number | boolean | undefined>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value))
  }
  made.append(...children)
  return made
}

const all = <T extends HTMLElement>(selector: string): T[] => [...document.querySelectorAll<T>(selector)]

// The key

const keyInput = document.querySelector<HTMLInputElement>('#api-key')

/** Storage is refused in some private modes: the input itself is the memory then. */
function stored(change?: (storage: Storage) => void): string {
  try {
    change?.(sessionStorage)
    return sessionStorage.getItem(KEY_NAME) ?? ''
  } catch {
    return ''
  }
}

function keepKey(input: HTMLInputElement): void {
  input.value = stored()
  input.addEventListener('input', () => {
    const key = input.value.trim()
    stored((storage) => (key === '' ? storage.removeItem(KEY_NAME) : storage.setItem(KEY_NAME, key)))
  })
}

const currentKey = (): string => keyInput?.value.trim() ?? ''

// From a form to a call

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

/** Numbers keep every digit where they can; what is no number goes as text, so that the service words the refusal. */
const numberOr = (text: string): unknown => {
  const value = Number(text)
  return text.trim() !== '' && Number.isFinite(value) ? value : text
}

const typed = (kind: 'text' | 'number' | 'any', text: string): unknown =>
  kind === 'text' ? text : kind === 'number' ? numberOr(text) : jsonOr(text, text)

/** Value of one field, or undefined when it is left out. Sets the field's message when it cannot be read. */
function readValue(field: Field, input: Input): unknown {
  const text = input.value
  input.setCustomValidity('')
  if (text.trim() === '') return undefined
  switch (field.kind) {
    case 'boolean':
      return text === 'true'
    case 'list':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .map((line) => typed(field.item ?? 'text', line))
    case 'json': {
      const value = jsonOr(text, undefined)
      if (value === undefined) input.setCustomValidity('This is not JSON.')
      return value
    }
    case 'number':
    case 'any':
      return typed(field.kind, text.trim())
    default:
      return text
  }
}

function queryOf(params: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      query.append(name, typeof one === 'string' ? one : JSON.stringify(one))
    }
  }
  return query.size === 0 ? '' : `?${query}`
}

function outgoing(call: CallData, door: Door, params: Readonly<Record<string, unknown>>): Outgoing {
  const { path, carries } = door
  if (carries === 'query') return { verb: 'GET', path: path + queryOf(params), body: null }
  const body = carries === 'body' ? params : { jsonrpc: '2.0', id: 1, method: call.name, params }
  return { verb: 'POST', path, body: JSON.stringify(body) }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The key stays out of it: a shell's history is no place for it. */
function curlOf(call: Outgoing): string {
  const parts = [`curl ${quoted(location.origin + call.path)}`]
  if (currentKey() !== '') parts.push('-H "X-API-Key: $API_KEY"')
  if (call.body !== null) parts.push(`-H 'Content-Type: application/json'`, `-d ${quoted(call.body)}`)
  return parts.join(' \\\n  ')
}

// From a reply to the page

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

function coloured(text: string): Node[] {
  const nodes: Node[] = []
  let from = 0
  for (const match of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g)) {
    const [token, string, colon] = match
    const kind = string === undefined ? 'j-value' : colon === undefined ? 'j-text' : 'j-key'
    nodes.push(new Text(text.slice(from, match.index)), element('span', { class: kind }, string ?? token))
    if (colon) nodes.push(new Text(colon))
    from = match.index + token.length
  }
  nodes.push(new Text(text.slice(from)))
  return nodes
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
    element('pre', { tabindex: 0, role: 'region', 'aria-label': 'Reply' }, element('code', {}, ...nodes)),
    ...(note === '' ? [] : [element('p', { class: 'note' }, note)]),
  )
}

async function send(call: Outgoing, panel: HTMLElement): Promise<void> {
  const key = currentKey()
  const started = performance.now()
  panel.replaceChildren(element('p', { class: 'status', role: 'status' }, 'Waiting for the reply…'))
  try {
    const response = await fetch(call.path, {
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
    showReply(panel, response, text, Math.round(performance.now() - started))
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError'
    const cause = error instanceof Error ? error.message : String(error)
    const text = late ? `No reply within ${TIMEOUT_MS / 1000} s.` : `The call did not get through: ${cause}`
    panel.replaceChildren(element('p', { class: 'status bad', role: 'alert' }, text))
  }
}

async function copy(text: string, panel: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    panel.replaceChildren(element('p', { class: 'status', role: 'status' }, 'Copied as curl.'))
  } catch {
    // Clipboards are closed to pages without TLS and without permission: show it, selected.
    const code = element('code', {}, text)
    panel.replaceChildren(
      element('p', { class: 'status', role: 'status' }, 'The clipboard is closed to this page; here is the call:'),
      element('pre', { tabindex: 0, role: 'region', 'aria-label': 'The call as curl' }, code),
    )
    getSelection()?.selectAllChildren(code)
  }
}

// The form

/** A sentence with its words between backticks as code. */
const prose = (text: string): (Node | string)[] =>
  text.split(/`([^`]+)`/).map((piece, index) => (index % 2 === 0 ? piece : element('code', {}, piece)))

function inputOf(field: Field, id: string, noteId: string): Input {
  const shared = { id, name: field.name, required: field.required, 'aria-describedby': noteId, spellcheck: 'false' }
  const empty = field.placeholder ?? (field.required ? undefined : 'left out')
  if (field.kind === 'choice' || field.kind === 'boolean') {
    const options = field.kind === 'boolean' ? ['true', 'false'] : (field.options ?? [])
    const blank = element('option', { value: '' }, empty ?? 'choose')
    return element('select', shared, blank, ...options.map((value) => element('option', { value }, value)))
  }
  const { min, max, maxLength: maxlength } = field
  if (field.kind === 'list' || field.kind === 'json') {
    return element('textarea', { ...shared, rows: field.kind === 'json' ? 5 : 2, placeholder: empty })
  }
  return element('input', {
    ...shared,
    autocomplete: 'off',
    placeholder: empty,
    ...(field.kind === 'number' ? { type: 'number', step: 'any', min, max } : { type: 'text', maxlength }),
  })
}

function fieldRow(field: Field, prefix: string): { row: HTMLElement; input: Input } {
  const id = `${prefix}-${field.name}`
  const input = inputOf(field, id, `${id}-note`)
  if (field.initial !== undefined) input.value = field.initial
  const how = field.kind === 'list' ? 'One value per line. ' : field.kind === 'json' ? 'JSON. ' : ''
  const label = element('label', { for: id }, field.name, ...(field.required ? [' *'] : []))
  const note = element('p', { class: 'note', id: `${id}-note` }, how, ...prose(field.hint ?? ''))
  return { row: element('div', { class: 'field' }, label, input, note), input }
}

function buildForm(call: CallData): HTMLElement {
  const prefix = `try-${call.name}`
  const rows = call.fields.map((field) => ({ field, ...fieldRow(field, prefix) }))
  const choice = call.doors.map(({ title }) => element('option', {}, title))
  const select = element('select', { id: `${prefix}--door` }, ...choice)
  const panel = element('div', { class: 'reply' })
  const copyButton = element('button', { type: 'button', class: 'second' }, 'Copy as curl')
  const form = element(
    'form',
    { 'aria-label': `Call ${call.name}`, autocomplete: 'off' },
    ...rows.map(({ row }) => row),
    element('div', { class: 'field' }, element('label', { for: select.id }, 'Send by'), select),
    element('div', { class: 'buttons' }, element('button', { type: 'submit' }, 'Send'), copyButton),
  )
  /** Null when the browser has something to say about a field; it says so itself. */
  const read = (): Outgoing | null => {
    const params: Record<string, unknown> = {}
    for (const { field, input } of rows) {
      const value = readValue(field, input)
      if (value !== undefined) params[field.name] = value
    }
    const door = call.doors[select.selectedIndex]
    return door && form.reportValidity() ? outgoing(call, door, params) : null
  }
  for (const { input } of rows) input.addEventListener('input', () => input.setCustomValidity(''))
  form.noValidate = true
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const ready = read()
    if (ready) void send(ready, panel)
  })
  copyButton.addEventListener('click', () => {
    const ready = read()
    if (ready) void copy(curlOf(ready), panel)
  })
  return element('div', { class: 'try', id: prefix }, form, panel)
}

/** The form of a method is built when it is first asked for: a page has a hundred of them. */
function addTry(section: HTMLElement): void {
  const call = JSON.parse(section.dataset.method ?? '') as CallData
  const button = element('button', { type: 'button', class: 'try-button', 'aria-expanded': 'false' }, 'Try it')
  button.setAttribute('aria-label', `Try ${call.name}`)
  let form: HTMLElement | null = null
  button.addEventListener('click', () => {
    if (!form) {
      form = buildForm(call)
      form.hidden = true
      section.querySelector('.columns')?.before(form)
      button.setAttribute('aria-controls', form.id)
    }
    form.hidden = !form.hidden
    button.setAttribute('aria-expanded', String(!form.hidden))
    if (!form.hidden) form.querySelector<HTMLElement>('input, select, textarea')?.focus()
  })
  section.querySelector('.method-head')?.append(button)
}

// The filter

function filterBy(text: string, sections: readonly HTMLElement[]): void {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const hidden = new Set<string>()
  for (const section of sections) {
    section.hidden = !words.every((word) => section.dataset.words?.includes(word))
    if (section.hidden) hidden.add(`#${section.id}`)
  }
  for (const group of all('section.group')) group.hidden = !group.querySelector('.method:not([hidden])')
  for (const link of all<HTMLAnchorElement>('.contents li li a')) {
    if (link.parentElement) link.parentElement.hidden = hidden.has(link.hash)
  }
  const left = sections.length - hidden.size
  const note = document.querySelector('#filter-note')
  if (note) note.textContent = words.length === 0 ? '' : `${left} of ${sections.length} methods`
  const none = document.querySelector<HTMLElement>('#no-match')
  if (none) none.hidden = left > 0
}

function startFilter(input: HTMLInputElement, sections: readonly HTMLElement[]): void {
  input.addEventListener('input', () => filterBy(input.value, sections))
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof Element && event.target.matches('input, select, textarea')
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
  addEventListener('hashchange', () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!target?.hidden) return
    input.value = ''
    filterBy('', sections)
    target.scrollIntoView()
  })
}

/** On a phone the list of contents would stand before everything else. */
const NARROW = '(max-width: 55rem)'

function start(): void {
  const sections = all('article.method')
  for (const part of all('[data-script]')) part.hidden = part.dataset.empty !== undefined
  for (const origin of all('[data-origin]')) origin.textContent = location.origin
  for (const section of sections) addTry(section)
  if (keyInput) keepKey(keyInput)
  const filter = document.querySelector<HTMLInputElement>('#filter')
  if (filter && sections.length > 0) startFilter(filter, sections)
  const contents = document.querySelector<HTMLDetailsElement>('.contents')
  const narrow = matchMedia(NARROW)
  const fold = () => contents?.toggleAttribute('open', !narrow.matches)
  narrow.addEventListener('change', fold)
  fold()
}

start()
