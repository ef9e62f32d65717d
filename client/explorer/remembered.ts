// What this browser stores for a network, shared by all tabs: favourite accounts, names of accounts, recent searches, and
// how traces are shown.
// Searches belong to one chain: with another genesis they are dropped.

import { computed, effect, signal } from '@preact/signals'
import { takeGivenNames } from './accountNames.ts'
import { genesis } from './live.ts'
import { boot } from './pageBoot.ts'

const MOST_FAVOURITES = 100
const MOST_SEARCHES = 8

interface Remembered {
  /** Raw addresses, the newest first. */
  readonly favourites: readonly string[]
  /** Raw addresses, each with the name a person gave it behind a space. */
  readonly names: readonly string[]
  readonly searches: readonly string[]
  /** Root hash of the zero state of the chain that was searched. */
  readonly genesis: string | null
  /** The tab of the trace page that was open last. */
  readonly traceAs: string | null
}

const KEY = `explorer-${boot.network}`

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const rememberedIn = (found: Partial<Record<keyof Remembered, unknown>>): Remembered => ({
  favourites: textsIn(found.favourites),
  names: textsIn(found.names),
  searches: textsIn(found.searches),
  genesis: textIn(found.genesis),
  traceAs: textIn(found.traceAs),
})

/** False while the browser could not keep what was remembered last: what it has is older. */
let isKept = true
let last = rememberedIn({})

function read(): Remembered {
  try {
    if (isKept) last = rememberedIn(JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {})
  } catch {
    // A browser can refuse storage; all of it then lasts as long as the page.
  }
  const isOther = genesis.value !== null && last.genesis !== genesis.value
  return isOther ? { ...last, searches: [], genesis: genesis.value } : last
}

export const remembered = signal(read())

const readAgain = (): void => {
  remembered.value = read()
}
effect(readAgain)
/** All accounts on the page are drawn again for other names, and for nothing else that is remembered. */
const givenNames = computed(() => remembered.value.names.join('\n'))
effect(() => takeGivenNames(givenNames.value.split('\n')))
addEventListener('storage', readAgain)

/** False when it lasts as long as the page. */
export function remember(changes: Partial<Remembered>): boolean {
  last = { ...read(), ...changes }
  remembered.value = last
  try {
    localStorage.setItem(KEY, JSON.stringify(last))
    isKept = true
  } catch {
    isKept = false
  }
  return isKept
}

export const isFavourite = (raw: string): boolean => remembered.value.favourites.includes(raw)

export function setFavourite(raw: string, isOne: boolean): void {
  const others = remembered.value.favourites.filter((one) => one !== raw)
  remember({ favourites: (isOne ? [raw, ...others] : others).slice(0, MOST_FAVOURITES) })
}

export const rememberTraceAs = (tab: string): boolean => remember({ traceAs: tab })

export function rememberSearch(text: string): void {
  const others = remembered.value.searches.filter((one) => one !== text)
  remember({ searches: [text, ...others].slice(0, MOST_SEARCHES) })
}
