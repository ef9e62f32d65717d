// The list below the search box while a person types: one call when the keys pause, and none for what this page knows itself.

import { render } from 'preact'
import { classify } from '../../../shared/explorer/classify.ts'
import { client } from '../api.ts'
import { learn, namedAccounts } from '../names.ts'
import { go, href } from '../router.ts'
import { type Hit, HitLine, LONGEST_QUERY, pathOf, type Search } from './hits.tsx'

const PAUSE_MS = 250
const MOST = 8

/** Accounts with a name of their own here. */
const ownHits = (text: string): readonly Hit[] =>
  [...namedAccounts()]
    .filter(([name]) => name.startsWith(text.toLowerCase()))
    .slice(0, 3)
    .map(([, account]) => ({
      ...{ type: 'account', match: 'prefix', account, name: null, symbol: null },
      ...{ hash: null, block: null, opcode: null, holders: null },
    }))

interface Shown {
  readonly hits: readonly Hit[]
  readonly note: string | null
  /** Of the hit Enter opens; -1 for the text itself. */
  readonly active: number
}

const NOTHING: Shown = { hits: [], note: null, active: -1 }
const idOf = (at: number): string => `suggestion-${at}`

const List = ({ hits, note, active }: Shown) => (
  <>
    {hits.length > 0 && (
      <div role="listbox" id="suggestions" aria-label="Suggestions">
        {hits.map((hit, at) => (
          <a
            key={`${hit.type} ${pathOf(hit)}`}
            id={idOf(at)}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            href={href(pathOf(hit) ?? '/')}
          >
            <HitLine hit={hit} />
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
    const isOpen = next.hits.length > 0 || next.note !== null
    box.hidden = !isOpen
    input.setAttribute('aria-expanded', String(next.hits.length > 0))
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
    const own = ownHits(text)
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
    show({ hits: [...own, ...others], note: own.length > 0 ? null : found.note, active: -1 })
  }

  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', 'suggestions')
  show(NOTHING)

  input.addEventListener('input', () => {
    clearTimeout(timer)
    const text = input.value.trim()
    const { kind } = classify(text)
    if (text.length > LONGEST_QUERY || kind === 'empty' || kind === 'boc') close()
    else timer = setTimeout(() => void look(text), PAUSE_MS)
  })
  input.addEventListener('keydown', (event) => {
    const { hits, active } = shown
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape') close()
    else if (step !== 0 && hits.length > 0) {
      event.preventDefault()
      // One place more than hits: the text itself.
      const next = ((active + 1 + step + hits.length + 1) % (hits.length + 1)) - 1
      show({ ...shown, active: next })
      document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      const path = hits[active] && pathOf(hits[active])
      if (path) {
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
