// What this browser remembers of a network: favourite accounts, and what was searched for last.

import { signal } from '@preact/signals'
import { boot } from './pageBoot.ts'

const MOST_FAVOURITES = 100
const MOST_SEARCHES = 8

interface Remembered {
  /** Raw addresses, the newest first. */
  readonly favourites: readonly string[]
  readonly searches: readonly string[]
}

const KEY = `explorer-${boot.network}`

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

function read(): Remembered {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Remembered> | null
    return { favourites: textsIn(found?.favourites), searches: textsIn(found?.searches) }
  } catch {
    // A browser can refuse storage; the lists then last as long as the page.
    return { favourites: [], searches: [] }
  }
}

export const remembered = signal(read())

function keep(changes: Partial<Remembered>): void {
  remembered.value = { ...remembered.value, ...changes }
  try {
    localStorage.setItem(KEY, JSON.stringify(remembered.value))
  } catch {
    // As above.
  }
}

export const isFavourite = (raw: string): boolean => remembered.value.favourites.includes(raw)

export function setFavourite(raw: string, isOne: boolean): void {
  const others = remembered.value.favourites.filter((one) => one !== raw)
  keep({ favourites: (isOne ? [raw, ...others] : others).slice(0, MOST_FAVOURITES) })
}

export function rememberSearch(text: string): void {
  const others = remembered.value.searches.filter((one) => one !== text)
  keep({ searches: [text, ...others].slice(0, MOST_SEARCHES) })
}
