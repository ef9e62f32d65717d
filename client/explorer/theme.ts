// The choice of a theme, which the service reads from a cookie, so that the next page begins in it.

import { THEME_SIGNS, THEMES, type ThemeChoice } from '../../shared/explorer/themes.ts'
import { href } from './router.ts'

function setTheme(choice: ThemeChoice): void {
  const path = new URL(href('/')).pathname
  const life = choice === 'auto' ? 'max-age=0' : 'max-age=31536000'
  if (choice === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  try {
    Reflect.set(document, 'cookie', `theme=${choice}; path=${path}; ${life}; SameSite=Lax`)
  } catch {
    // Within a frame that may keep nothing, the choice lasts as long as the page.
  }
}

/** The next theme, which the button then names. */
export function changeTheme(button: HTMLElement): void {
  const current = THEMES.find((theme) => theme === document.documentElement.dataset.theme) ?? 'auto'
  const next = THEMES[(THEMES.indexOf(current) + 1) % THEMES.length] ?? 'auto'
  setTheme(next)
  button.textContent = THEME_SIGNS[next]
  button.title = `Theme: ${next}`
  button.setAttribute('aria-label', button.title)
}
