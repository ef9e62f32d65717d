// Keys of every page: to the search, to another page, along the rows, and the list of all keys.

import { loadedOrSaid } from './laterScript.ts'
import { boot } from './pageBoot.ts'
import { go } from './router.ts'

/** Behind a `g`. */
const PLACES: Readonly<Record<string, { readonly path: string; readonly name: string; readonly devnet?: true }>> = {
  h: { path: '/', name: 'first page' },
  w: { path: '/wallets', name: 'wallets', devnet: true },
  l: { path: '/lab', name: 'lab', devnet: true },
  c: { path: '/console', name: 'console' },
  s: { path: '/status', name: 'status' },
}

const placeOf = (key: string) => {
  const place = Object.hasOwn(PLACES, key) ? PLACES[key] : undefined
  return place?.devnet && boot.network !== 'devnet' ? undefined : place
}

/** After a `g` the second key is expected for so long. */
const SECOND_MS = 1_500
let goneAt = Number.NEGATIVE_INFINITY

const ROWS = '#main :is(.rows > li, .grid > li, .hits > li, .domains > li, tbody > tr, [role="treeitem"])'
const INSIDE = 'a[href], button:not(:disabled)'

/** Puts the focus on the row before or after the one that has it; on the first one when none has. */
function step(by: 1 | -1): void {
  const targets = [...document.querySelectorAll<HTMLElement>(ROWS)].flatMap((row) => {
    const target = row.matches('[role="treeitem"]') ? row : row.querySelector<HTMLElement>(INSIDE)
    return target === null ? [] : [{ row, target }]
  })
  const at = targets.findIndex(({ row }) => row.contains(document.activeElement))
  const next = at < 0 ? targets[0] : targets[at + by]
  next?.target.focus()
}

async function showHelp(): Promise<void> {
  const script = await loadedOrSaid(import('./Help.tsx'))
  script?.openHelp(
    Object.keys(PLACES).flatMap((key) => {
      const place = placeOf(key)
      return place === undefined ? [] : [{ keys: `g ${key}`, what: `Go to the ${place.name}` }]
    }),
  )
}

/** Closes the list of keys: a page opened by one of them would stay behind it. */
const closeHelp = (): void => document.querySelector<HTMLDialogElement>('dialog[open]')?.close()

/** A key pressed outside of fields, without another one that changes it. */
export function onKey(event: KeyboardEvent): void {
  const place = event.timeStamp - goneAt < SECOND_MS ? placeOf(event.key) : undefined
  goneAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
  if (place !== undefined || '/jk'.includes(event.key)) closeHelp()
  if (place !== undefined) {
    go(place.path)
    document.getElementById('main')?.focus({ preventScroll: true })
  } else if (event.key === '/') document.getElementById('q')?.focus()
  else if (event.key === 'j') step(1)
  else if (event.key === 'k') step(-1)
  else if (event.key === '?') void showHelp()
  else return
  event.preventDefault()
}
