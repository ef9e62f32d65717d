// What a person typed into a form, kept by this tab: a page that begins again still has it.

import { useMemo, useState } from 'preact/hooks'
import { isObject } from '../../shared/isObject.ts'

const keyOf = (name: string): string => `typed-${name}`

/** Longer ones last as long as the page. */
const LONGEST = 200_000

/** Whether a value can stand for another one: it has all its fields, each of its type. An older page kept other ones. */
function fits<T>(value: unknown, like: T): value is T {
  if (Array.isArray(like)) return Array.isArray(value)
  if (!isObject(like)) return typeof value === typeof like
  return isObject(value) && Object.entries(like).every(([name, field]) => fits(value[name], field))
}

/** What was kept, or `first`. */
export function keptOr<T>(name: string, first: T): T {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? 'null')
    return fits(value, first) ? value : first
  } catch {
    // A browser can refuse storage; the text then lasts as long as the page.
    return first
  }
}

/** Null removes it. */
export function keepText(name: string, value: unknown): void {
  try {
    const text = value === null ? '' : JSON.stringify(value)
    if (text === '' || text.length > LONGEST) sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), text)
  } catch {
    // As above.
  }
}

/** A state for each name, kept under it. `begin` changes what was kept, as by what the address of the page says. */
export function useKept<T>(name: string, first: T, begin = (kept: T): T => kept) {
  const [, redraw] = useState({})
  const held = useMemo(() => ({ value: begin(keptOr(name, first)) }), [name])
  const set = (next: T): void => {
    keepText(name, next)
    held.value = next
    redraw({})
  }
  return [held.value, set] as const
}
