// The form of a method, and the call it makes.

import type { CallData, CallField } from './callData.ts'
import { copy } from './copy.ts'
import { element, proseNodes } from './dom.ts'
import { type KeptForm, keepForm } from './kept.ts'
import { curlOf, type Input, type Outgoing, outgoing, readValue } from './outgoingCall.ts'
import { sendCall } from './reply.ts'

function inputOf(field: CallField, id: string, noteId: string): Input {
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

function fieldRow(field: CallField, prefix: string): { row: HTMLElement; input: Input } {
  const id = `${prefix}-${field.name}`
  const input = inputOf(field, id, `${id}-note`)
  if (field.initial !== undefined) input.value = field.initial
  const how = field.kind === 'list' ? 'One value per line. ' : field.kind === 'json' ? 'JSON. ' : ''
  const label = element('label', { for: id }, field.name, ...(field.required ? [' *'] : []))
  const note = element('p', { class: 'note', id: `${id}-note` }, how, ...proseNodes(field.hint ?? ''))
  return { row: element('div', { class: 'field' }, label, input, note), input }
}

/** Requires a confirmation for effects that cannot be undone. Its place is not that of replies: one may come meanwhile. */
function confirmed(warning: string, place: HTMLElement, go: () => void): void {
  const yes = element('button', { type: 'button' }, 'Send it')
  const no = element('button', { type: 'button', class: 'second' }, 'Leave it')
  yes.addEventListener('click', go)
  for (const button of [yes, no]) button.addEventListener('click', () => place.replaceChildren())
  place.replaceChildren(
    element('p', { class: 'status bad', role: 'alert' }, ...proseNodes(warning)),
    element('div', { class: 'buttons' }, yes, no),
  )
  yes.focus()
}

function buildForm(call: CallData, kept: KeptForm | null): HTMLElement {
  const prefix = `try-${call.name}`
  const rows = call.fields.map((field) => ({ field, ...fieldRow(field, prefix) }))
  const choice = call.doors.map(({ title }) => element('option', {}, title))
  const select = element('select', { id: `${prefix}--door` }, ...choice)
  const question = element('div', { class: 'question' })
  const panel = element('div', { class: 'reply' })
  const note = element('div', { class: 'copied', role: 'status' })
  const copyButton = element('button', { type: 'button', class: 'second' }, 'Copy as curl')
  const form = element(
    'form',
    { 'aria-label': `Call ${call.name}`, autocomplete: 'off' },
    ...rows.map(({ row }) => row),
    element('div', { class: 'field' }, element('label', { for: select.id }, 'Send by'), select),
    element('div', { class: 'buttons' }, element('button', { type: 'submit' }, 'Send'), copyButton, note),
  )
  /** Null when a field is invalid, which the browser reports. */
  const read = (): Outgoing | null => {
    const params: Record<string, unknown> = {}
    for (const { field, input } of rows) {
      const value = readValue(field, input)
      if (value !== undefined) params[field.name] = value
    }
    const door = call.doors[select.selectedIndex]
    return door && form.reportValidity() ? outgoing(call, door, params) : null
  }
  const keep = () => {
    const texts = rows.filter(({ input }) => input.value !== '').map(({ field, input }) => [field.name, input.value])
    keepForm({ name: call.name, door: select.value, texts: Object.fromEntries(texts) })
  }
  if (kept !== null) {
    for (const { field, input } of rows) input.value = kept.texts[field.name] ?? ''
    if (call.doors.some(({ title }) => title === kept.door)) select.value = kept.door
  }
  for (const { input } of rows) input.addEventListener('input', () => input.setCustomValidity(''))
  form.addEventListener('input', keep)
  form.noValidate = true
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const ready = read()
    if (!ready) return
    keep()
    if (call.warning === undefined) void sendCall(ready, panel)
    else confirmed(call.warning, question, () => void sendCall(ready, panel))
  })
  copyButton.addEventListener('click', () => {
    const ready = read()
    if (ready) void copy(curlOf(ready), note, ' as curl')
  })
  return element('div', { class: 'try', id: prefix }, form, question, panel)
}

/** The form of a method is built when it is first opened: a page has a hundred of them. */
export function addTry(section: HTMLElement, kept: KeptForm | null): void {
  const call: CallData = JSON.parse(section.dataset.method ?? '')
  const label = `Try it: ${call.name}`
  const button = element('button', {
    type: 'button',
    class: 'try-button',
    'aria-expanded': 'false',
    'aria-label': label,
  })
  button.append('Try it')
  let form: HTMLElement | null = null
  const toggle = (state: KeptForm | null) => {
    if (!form) {
      form = buildForm(call, state)
      form.hidden = true
      section.querySelector('.columns')?.before(form)
      button.setAttribute('aria-controls', form.id)
    }
    form.hidden = !form.hidden
    button.setAttribute('aria-expanded', String(!form.hidden))
    if (!form.hidden)
      form.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: state !== null })
  }
  button.addEventListener('click', () => toggle(null))
  section.querySelector('.method-head')?.append(button)
  if (kept?.name !== call.name) return
  toggle(kept)
  section.scrollIntoView()
}
