// The list below the search box while a person types: one call when the keys pause, and none for what this page knows itself.

import { type ComponentChildren, render } from 'preact'
import { classifyText } from '../../../shared/explorer/classifyText.ts'
import { isSecret, SECRET_REFUSED } from '../../../shared/explorer/secretText.ts'
import { LONGEST_SEARCH } from '../../../shared/explorer/toolQueries.ts'
import type { SearchHit } from '../../../shared/v3/search.ts'
import { foreignText, learn, namedAccounts } from '../accountNames.ts'
import { boot } from '../pageBoot.ts'
import { client } from '../pageClient.ts'
import { remember, remembered } from '../remembered.ts'
import { go, href } from '../router.ts'
import { type AbiHit, AbiLine, abiHits, pathOfAbi } from './abiHits.tsx'
import { recognisedWords } from './recognised.ts'
import { HitLine, ownAccountHit, ownHits, pathOf, type Search } from './searchHits.tsx'

const PAUSE_MS = 250
const MOST = 8
/** Of them, accounts that this network has names for. */
const MOST_OWN = 3
/** And descriptions of contracts. */
const MOST_ABIS = 3

interface Suggestion {
  readonly path: string
  readonly content: ComponentChildren
}

interface Shown {
  /** What the text is; null for a name. */
  readonly words: string | null
  readonly items: readonly Suggestion[]
  readonly note: string | null
  /** Of the one Enter opens; -1 for the text itself. */
  readonly active: number
}

const suggestionOf = (hit: SearchHit): Suggestion => ({ path: pathOf(hit) ?? '/', content: <HitLine hit={hit} /> })

const suggestionOfAbi = (hit: AbiHit): Suggestion => ({ path: pathOfAbi(hit), content: <AbiLine hit={hit} /> })

/** Without secrets, which older versions kept. */
function searches(): readonly string[] {
  const safe = remembered.value.searches.filter((text) => !isSecret(text))
  if (safe.length < remembered.value.searches.length) remember({ searches: safe })
  return safe
}

/** Before anything is typed: favourite accounts, and what was searched for last. */
const keptItems = (): readonly Suggestion[] => [
  ...remembered.value.favourites.slice(0, MOST).map(ownAccountHit).map(suggestionOf),
  ...searches().map((text) => ({
    path: `/search?q=${encodeURIComponent(text)}`,
    content: (
      <span class="hit">
        <span class="tag">Searched</span> {foreignText(text)}
      </span>
    ),
  })),
]

const NOTHING: Shown = { words: null, items: [], note: null, active: -1 }
const idOf = (at: number): string => `suggestion-${at}`

const List = ({ words, items, note, active }: Shown) => (
  <>
    {words !== null && (
      <p class="note" role="status">
        {words}
      </p>
    )}
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

/** The list of one search box. */
class Suggestions {
  readonly #input: HTMLInputElement
  readonly #box = document.createElement('div')
  #shown = NOTHING
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Number of the newest look-up: a reply to an older one is dropped. */
  #newest = 0

  constructor(input: HTMLInputElement) {
    this.#input = input
    this.#box.className = 'suggestions'
    input.after(this.#box)
    input.setAttribute('role', 'combobox')
    input.setAttribute('aria-autocomplete', 'list')
    input.setAttribute('aria-controls', 'suggestions')
    this.#show(NOTHING)
    this.#listen()
    // What was typed before this script was there counts, too.
    if (document.activeElement === input) this.#follow(input.value.trim())
  }

  get #isEmpty(): boolean {
    return this.#input.value.trim() === ''
  }

  #listen(): void {
    const input = this.#input
    input.addEventListener('focus', () => {
      if (this.#isEmpty) this.#offer()
    })
    input.addEventListener('input', () => this.#follow(input.value.trim()))
    input.addEventListener('keydown', (event) => this.#press(event))
    input.addEventListener('blur', () => setTimeout(() => document.activeElement === input || this.#close(), 150))
    input.form?.addEventListener('submit', () => this.#isEmpty || this.#leave())
    this.#box.addEventListener('mousedown', (event) => event.preventDefault())
    this.#box.addEventListener('click', () => {
      this.#close()
      input.blur()
    })
  }

  #show(next: Shown): void {
    this.#shown = next
    const { words, items, note, active } = next
    this.#box.hidden = words === null && items.length === 0 && note === null
    this.#input.setAttribute('aria-expanded', String(items.length > 0))
    if (active < 0) this.#input.removeAttribute('aria-activedescendant')
    else this.#input.setAttribute('aria-activedescendant', idOf(active))
    render(<List {...next} />, this.#box)
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#newest++
    if (this.#shown !== NOTHING) this.#show(NOTHING)
  }

  /** What is offered before anything is typed. */
  #offer(): void {
    this.#close()
    const items = keptItems()
    if (items.length > 0) this.#show({ ...NOTHING, items })
  }

  /** Nothing of a secret is left behind: no text in the box, and no address that the browser would keep. */
  #refuse(): void {
    this.#close()
    this.#input.value = ''
    this.#show({ ...NOTHING, words: SECRET_REFUSED })
  }

  #follow(text: string): void {
    clearTimeout(this.#timer)
    // What is found for an earlier text comes too late.
    this.#newest++
    if (isSecret(text)) {
      this.#refuse()
      return
    }
    const found = classifyText(text, { names: namedAccounts() })
    const words = recognisedWords(found, text, boot.network)
    if (found.kind === 'empty') {
      this.#offer()
      return
    }
    const isSearched = text.length <= LONGEST_SEARCH && found.kind !== 'boc'
    // What was found for the text of before stays until there is something for this one; that nothing was is not said of it.
    if (isSearched) this.#show({ ...this.#shown, words, note: null, active: -1 })
    else this.#show({ ...NOTHING, words })
    if (isSearched) this.#timer = setTimeout(() => void this.#look(text, words), PAUSE_MS)
  }

  async #look(text: string, words: string | null): Promise<void> {
    const mine = this.#newest
    const own = ownHits(text, MOST_OWN)
    let found: Pick<Search, 'results' | 'note'>
    try {
      const reply = await client.v3.search({ query: text, limit: MOST })
      learn(reply)
      found = reply
    } catch {
      // The search page shows the reason, when it is opened.
      found = { results: [], note: null }
    }
    if (mine !== this.#newest) return
    const known = new Set(own.map(({ account }) => account))
    const others = found.results.filter(
      (hit) => pathOf(hit) !== null && !(hit.type === 'account' && known.has(hit.account)),
    )
    const abis = abiHits(text, MOST_ABIS)
    const items = [...own.map(suggestionOf), ...abis.map(suggestionOfAbi), ...others.map(suggestionOf)]
    const isKnown = own.length + abis.length > 0 || found.note === words
    this.#show({ words, items, note: isKnown ? null : found.note, active: -1 })
  }

  #press(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape') this.#close()
    else if (step !== 0 && this.#shown.items.length > 0) {
      event.preventDefault()
      this.#move(step)
    } else if (event.key === 'Enter') {
      const path = this.#shown.items[this.#shown.active]?.path
      if (path !== undefined) {
        event.preventDefault()
        go(path)
        this.#leave()
      }
      // Why a secret was taken out of the box is still to be read.
      if (path !== undefined || !this.#isEmpty) this.#close()
    }
  }

  /** Keys and readers of the screen go on at the page that was opened; on a phone its keyboard is in the way. */
  #leave(): void {
    document.getElementById('main')?.focus({ preventScroll: true })
  }

  #move(step: number): void {
    const { items, active } = this.#shown
    // One place more than suggestions: the text itself.
    const next = ((active + 1 + step + items.length + 1) % (items.length + 1)) - 1
    this.#show({ ...this.#shown, active: next })
    document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
  }
}

/** Follows the search box from now on. */
export function startSuggesting(input: HTMLInputElement): void {
  new Suggestions(input)
}
