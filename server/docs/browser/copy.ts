// What can be copied: samples, replies, calls.

import { all, element } from './dom.ts'

/** Reports in `note`; without access to the clipboard the text is shown there, selected. */
export async function copy(text: string, note: HTMLElement, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    note.replaceChildren(`Copied${what}.`)
  } catch {
    // Clipboards are closed to pages without TLS and without permission.
    const code = element('code', {}, text)
    note.replaceChildren(
      element('p', {}, 'The clipboard is closed to this page; here is the text:'),
      element('pre', { tabindex: 0, role: 'region', 'aria-label': `Text to copy${what}` }, code),
    )
    getSelection()?.selectAllChildren(code)
  }
}

/** A block of code with a button that copies it. */
export function withCopy(block: HTMLElement, text: string | (() => string)): HTMLElement {
  const label = `Copy: ${block.getAttribute('aria-label') ?? 'code'}`
  const button = element('button', { type: 'button', class: 'copy', 'aria-label': label }, 'Copy')
  const note = element('div', { class: 'copied', role: 'status' })
  button.addEventListener('click', () => void copy(typeof text === 'string' ? text : text(), note, ''))
  const frame = element('div', { class: 'code' })
  if (block.isConnected) block.replaceWith(frame)
  frame.append(block, button, note)
  return frame
}

export function addCopyButtons(): void {
  for (const block of all('pre.sample')) withCopy(block, () => block.textContent)
}
