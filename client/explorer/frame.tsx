// The parts of the frame the service has written that change: the head in the bar, the theme, and keys.

import { effect } from '@preact/signals'
import { duration } from '../../shared/explorer/duration.ts'
import { loadedOrSaid, sayNotLoaded } from './laterScript.ts'
import { chainState, connected, head } from './live.ts'
import { boot, publicServiceUrl } from './pageBoot.ts'
import { copyText } from './parts/Copy.tsx'
import { ageOf } from './parts/When.tsx'
import { go, href, place } from './router.ts'

/** A head older than this is worth a look. */
const STALE_SECONDS = boot.network === 'devnet' ? 120 : 30

function showHead(pill: HTMLElement): void {
  const word = document.createElement('span')
  word.append('block ')
  let seqno: number | null = null
  let movedAt = Number.NEGATIVE_INFINITY
  effect(() => {
    const last = head.value
    if (seqno !== null && last !== null && last.seqno !== seqno) movedAt = performance.now()
    seqno = last?.seqno ?? seqno
    const age = last === null ? 0 : ageOf(Number(last.gen_utime))
    if (!connected.value) pill.textContent = `${boot.network} · no answer`
    else if (last === null) pill.textContent = boot.network
    else pill.replaceChildren(`${boot.network} · `, word, `${last.seqno} · ${duration(age)}`)
    // Blocks that are made by hand may be of any age; those of the demo are of the past while it is played.
    const isPlayed = boot.network === 'devnet' && performance.now() - movedAt < STALE_SECONDS * 1000
    const isOld = age > STALE_SECONDS && !isPlayed && chainState.value?.mining !== 'manual'
    pill.classList.toggle('stale', !connected.value || isOld)
  })
}

/** The service has written which one is shown. */
function showTheme(button: HTMLElement): void {
  button.hidden = false
  button.addEventListener('click', async () => {
    const script = await loadedOrSaid(import('./theme.ts'))
    script?.changeTheme(button)
  })
}

/** Marks the item of the bar whose page is shown; the service has marked that of the first one. */
function markCurrent(bar: Element): void {
  effect(() => {
    const { pathname } = new URL(href(`/${place.value.path.split('/')[1] ?? ''}`))
    for (const link of bar.querySelectorAll('a'))
      if (link.pathname === pathname) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
  })
}

function showCopy(button: HTMLElement): void {
  button.hidden = false
  button.addEventListener('click', () => void copyText(`${publicServiceUrl}/jsonRPC`, 'RPC URL'))
}

/** Keys that mean something on every page, before the script of them is there. */
const FIRST_KEYS = '/gjk?'
let onKey: ((event: KeyboardEvent) => void) | null = null

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The first of them loads the script, and is not lost. */
function onKeyDown(event: KeyboardEvent): void {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
  if (onKey !== null) {
    onKey(event)
    return
  }
  // The row the keys before it lead to has the focus only when their script is there.
  const opens = event.key === 'Enter' && steps
  if (FIRST_KEYS.includes(event.key) || opens) event.preventDefault()
  else if (keys === null) return
  steps = event.key === 'j' || event.key === 'k'
  // At once: what is typed next is to be searched for.
  if (event.key === '/') document.getElementById('q')?.focus()
  // One promise for all: keys are handled in the order they were pressed.
  keys ??= loadedOrSaid(import('./keyboard.ts'))
  void keys.then((script) => {
    if (script === null) keys = null
    onKey = script?.onKey ?? null
    onKey?.(event)
    if (opens && script !== null && document.activeElement instanceof HTMLElement) document.activeElement.click()
  })
}
/** Whether the last key before the script was one that goes along the rows. */
let steps = false
let keys: Promise<typeof import('./keyboard.ts') | null> | null = null

/** Several words, or more than an address has: only the script of the box knows whether it is a secret. */
const MAY_BE_SECRET = /(?:\S+\s+){3}|.{68}/s

export function startFrame(): void {
  const bar = document.querySelector('.top nav')
  if (bar) markCurrent(bar)
  const [pill, theme, copy] = ['head', 'theme', 'copy-url'].map((id) => document.getElementById(id))
  if (pill) showHead(pill)
  if (theme) showTheme(theme)
  if (copy) showCopy(copy)
  document.addEventListener('keydown', onKeyDown)
  const box = document.getElementById('q')
  let script: Promise<typeof import('./search/suggest.tsx') | null> | undefined
  /** One promise for all: what waits for it goes on in turn. The search works without suggestions. */
  const suggesting = () => {
    script ??= import('./search/suggest.tsx').catch(() => null)
    return script
  }
  const suggest = async (): Promise<void> => {
    const script = await suggesting()
    if (box instanceof HTMLInputElement) script?.startSuggesting(box)
  }
  // The first focus may have been before this script.
  if (document.activeElement === box) void suggest()
  else box?.addEventListener('focus', () => void suggest(), { once: true })
  document.querySelector('form[role="search"]')?.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (!(box instanceof HTMLInputElement)) return
    const text = box.value.trim()
    // That script takes secrets out of the box: they must not come into the address.
    const script = await suggesting()
    if (script === null && MAY_BE_SECRET.test(text)) sayNotLoaded()
    else if (text !== '' && box.value !== '') go(`/search?q=${encodeURIComponent(text)}`)
  })
}
