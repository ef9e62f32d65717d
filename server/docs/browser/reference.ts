// What a reference page does beyond being read: filters its methods, builds a form for each, sends the call through the
// chosen interface and shows the reply.

import { colourExamples } from './colour.ts'
import { addCopyButtons } from './copy.ts'
import { all, ROOT } from './dom.ts'
import { keptForm } from './kept.ts'
import { keepKey, keyInput } from './key.ts'
import { startFilter } from './methodFilter.ts'
import { addTry } from './tryForm.ts'

/** On a phone the list of contents would fill the first screen. */
const NARROW = '(max-width: 55rem)'

function start(): void {
  const sections = all('article.method')
  for (const part of all('[data-script]')) part.hidden = part.dataset.empty !== undefined
  for (const origin of all('[data-origin]')) origin.textContent = ROOT
  addCopyButtons()
  colourExamples()
  const kept = keptForm()
  for (const section of sections) addTry(section, kept)
  if (keyInput) keepKey(keyInput)
  const filter = document.querySelector<HTMLInputElement>('#filter')
  if (filter && sections.length > 0) startFilter(filter, sections)
  const contents = document.querySelector<HTMLDetailsElement>('.contents')
  const narrow = matchMedia(NARROW)
  const fold = () => contents?.toggleAttribute('open', !narrow.matches)
  narrow.addEventListener('change', fold)
  fold()
}

start()
