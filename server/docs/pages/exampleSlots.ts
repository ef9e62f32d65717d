// Places for what changes with the chain in a page that is drawn once: the parameters of its examples.

import { Html } from './html.ts'

/** What is put there: form data of a method, its calls as code, the first call of the page, or one with a key. */
type SlotKind = 'call' | 'samples' | 'first' | 'key'

/** In no text of a page. */
const MARK = '\u0000'
const SLOT = /\0(\w+) ([^\0]*)\0/g

const KINDS: readonly SlotKind[] = ['call', 'samples', 'first', 'key']

export const slot = (kind: SlotKind, method: string): Html => new Html(`${MARK}${kind} ${method}${MARK}`)

export const filledPage = (page: string, fill: (kind: SlotKind, method: string) => Html): string =>
  page.replace(SLOT, (_, word: string, method: string) => {
    const kind = KINDS.find((one) => one === word)
    return kind === undefined ? '' : fill(kind, method).text
  })
