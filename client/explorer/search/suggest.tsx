// The list below the search box while a person types: one call when the keys pause, and none for what this page knows itself.

import { type ComponentChildren, render } from 'preact'
import { classify } from '../../../shared/explorer/classifyText.ts'
import { LONGEST_SEARCH } from '../../../shared/explorer/explorerQueries.ts'
import { learn } from '../accountNames.ts'
import { client } from '../pageClient.ts'
import { remembered } from '../remembered.ts'
import { go, href } from '../router.ts'
import { accountHit, type Hit, HitLine, ownHits, pathOf, type Search } from './searchHits.tsx'

const PAUSE_MS = 250
const MOST = 8
/** Of them, accounts that this network has names for. */
const MOST_OWN = 3

interface Suggestion {
  readonly path: string
  readonly content: ComponentChildren
}

interface Shown {
  readonly items: readonly Suggestion[]
  readonly note: string | null
  /** Of the one Enter opens; -1 for the text itself. */
  readonly active: number
}

const suggestionOf = (hit: Hit): Suggestion => ({ path: pathOf(hit) ?? '/', content: <HitLine hit={hit} /> })

/** Before anything is typed: favourite accounts, and what was searched for last. */
const keptItems = (): readonly Suggestion[] => [
  ...remembered.value.favourites.slice(0, MOST).map(accountHit).map(suggestionOf),
  ...remembered.value.searches.map((text) => ({
    path: `/search?q=${encodeURIComponent(text)}`,
    content: (
      <span class="hit">
        <span class="tag">Searched</span> {text}
      </span>
    ),
  })),
]

const NOTHING: Shown = { items: [], note: null, active: -1 }
const idOf = (at: number): string => `suggestion-${at}`

const List = ({ items, note, active }: Shown) => (
  <>
    {items.length > 0 && (
      <div role="listbox" id="suggestions" aria-label="Suggestions">
        {items.map(({ path, content }, at) => (
          <a key={path} id={idOf(at)} role="option" tabIndex={-1} aria-selected={at === active} href={href(path)}>
            {content}
          </a>
        ))}
      </div>
    )}
    {note !== null && (
      <p class="note" role="status">
        {note}
      </p>
    )}
  </>
)

/** Follows the search box from now on. */
export function startSuggesting(input: HTMLInputElement): void {
  const box = document.createElement('div')
  box.className = 'suggestions'
  input.after(box)
  let shown = NOTHING
  let timer: ReturnType<typeof setTimeout> | undefined
  let newest = 0

  const show = (next: Shown): void => {
    shown = next
    const isOpen = next.items.length > 0 || next.note !== null
    box.hidden = !isOpen
    input.setAttribute('aria-expanded', String(next.items.length > 0))
    if (next.active < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', idOf(next.active))
    render(<List {...next} />, box)
  }

  const close = (): void => {
    clearTimeout(timer)
    newest++
    if (shown !== NOTHING) show(NOTHING)
  }

  async function look(text: string): Promise<void> {
    newest++
    const mine = newest
    const own = ownHits(text, MOST_OWN)
    let found: Pick<Search, 'results' | 'note'>
    try {
      const reply = await client.v3.search({ query: text, limit: MOST })
      learn(reply)
      found = reply
    } catch {
      // The page of the search says why, when the person asks for it.
      found = { results: [], note: null }
    }
    if (mine !== newest) return
    const known = new Set(own.map(({ account }) => account))
    const others = found.results.filter(
      (hit) => pathOf(hit) !== null && !(hit.type === 'account' && known.has(hit.account)),
    )
    show({ items: [...own, ...others].map(suggestionOf), note: own.length > 0 ? null : found.note, active: -1 })
  }

  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', 'suggestions')
  show(NOTHING)

  const offer = (): void => {
    close()
    const items = keptItems()
    if (items.length > 0) show({ items, note: null, active: -1 })
  }

  input.addEventListener('focus', () => {
    if (input.value.trim() === '') offer()
  })
  if (document.activeElement === input && input.value.trim() === '') offer()
  input.addEventListener('input', () => {
    clearTimeout(timer)
    const text = input.value.trim()
    const { kind } = classify(text)
    if (kind === 'empty') offer()
    else if (text.length > LONGEST_SEARCH || kind === 'boc') close()
    else timer = setTimeout(() => void look(text), PAUSE_MS)
  })
  input.addEventListener('keydown', (event) => {
    const { items, active } = shown
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape') close()
    else if (step !== 0 && items.length > 0) {
      event.preventDefault()
      // One place more than suggestions: the text itself.
      const next = ((active + 1 + step + items.length + 1) % (items.length + 1)) - 1
      show({ ...shown, active: next })
      document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      const path = items[active]?.path
      if (path !== undefined) {
        event.preventDefault()
        go(path)
      }
      close()
    }
  })
  input.addEventListener('blur', () => setTimeout(close, 150))
  box.addEventListener('mousedown', (event) => event.preventDefault())
  box.addEventListener('click', () => {
    close()
    input.blur()
  })
}
