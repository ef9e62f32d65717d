// What a page has once a person points at something on it: marks every mention of the account under the pointer or the focus.

function mark(chip: Element | null, on: boolean): void {
  const raw = chip?.getAttribute('data-address')
  if (raw == null) return
  for (const one of document.querySelectorAll(`[data-address="${CSS.escape(raw)}"]`)) one.classList.toggle('same', on)
}

const follow = ({ target, type }: Event): void =>
  mark(target instanceof Element ? target.closest('[data-address]') : null, !type.endsWith('out'))

for (const type of ['mouseover', 'mouseout', 'focusin', 'focusout']) document.addEventListener(type, follow)
// A step back may follow: what it needs is there then.
import('../scrollBack.ts').catch(() => undefined)
// The pointer or the focus came before this script.
mark(document.querySelector('[data-address]:is(:hover, :focus-within)'), true)
