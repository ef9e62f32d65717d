// The filter over the methods of a page, and over those of the other version.

import { all } from './dom.ts'

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

const fits = ({ dataset }: HTMLElement, words: readonly string[]): boolean =>
  words.every((word) => dataset.words?.includes(word))

function filterBy(text: string, sections: readonly HTMLElement[]): void {
  const words = wordsOf(text)
  const hidden = new Set<string>()
  for (const section of sections) {
    section.hidden = !fits(section, words)
    if (section.hidden) hidden.add(`#${section.id}`)
  }
  for (const group of all('section.group')) group.hidden = !group.querySelector('.method:not([hidden])')
  for (const link of all<HTMLAnchorElement>('.contents li li a')) {
    if (link.parentElement) link.parentElement.hidden = hidden.has(link.hash)
  }
  for (const group of all('.nav-group[data-methods]')) group.hidden = !group.querySelector('li:not([hidden])')
  const others = all('#elsewhere [data-words]')
  for (const other of others) other.hidden = words.length === 0 || !fits(other, words)
  const elsewhere = document.querySelector<HTMLElement>('#elsewhere')
  if (elsewhere) elsewhere.hidden = others.every((other) => other.hidden)
  const left = sections.length - hidden.size
  const note = document.querySelector('#filter-note')
  if (note) note.textContent = words.length === 0 ? '' : `${left} of ${sections.length} methods`
  const none = document.querySelector<HTMLElement>('#no-match')
  if (none) none.hidden = left > 0
}

/** The first method, or link to one, that is left. */
const firstHit = (sections: readonly HTMLElement[]): HTMLElement | undefined =>
  [...sections, ...all('#elsewhere [data-words]')].find(({ hidden }) => !hidden)

/** Whether it stays where it is when the page scrolls: on a phone the page would take it from under the finger. */
function staysInView(input: HTMLElement): boolean {
  const side = input.closest('.side')
  return side !== null && getComputedStyle(side).position === 'sticky'
}

export function startFilter(input: HTMLInputElement, sections: readonly HTMLElement[]): void {
  const show = () => {
    filterBy(input.value, sections)
    if (wordsOf(input.value).length > 0 && staysInView(input)) firstHit(sections)?.scrollIntoView()
  }
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.value = ''
      filterBy('', sections)
    }
    if (event.key === 'Enter') firstHit(sections)?.querySelector<HTMLElement>('a, button')?.focus()
  })
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof Element && event.target.matches('input, select, textarea')
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
  addEventListener('hashchange', () => {
    const target = document.querySelector<HTMLElement>(':target')
    if (!target?.hidden) return
    input.value = ''
    filterBy('', sections)
    target.scrollIntoView()
  })
}
