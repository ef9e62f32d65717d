// A short message about something the person did, or about the chain; read out by screen readers.

import { signal } from '@preact/signals'

const SHOWN_MS = 6_000

const texts = signal<readonly { readonly id: number; readonly text: string }[]>([])
let count = 0

export function toast(text: string, shownMs = SHOWN_MS): void {
  count++
  const id = count
  texts.value = [...texts.value.slice(-2), { id, text }]
  setTimeout(() => {
    texts.value = texts.value.filter((one) => one.id !== id)
  }, shownMs)
}

export const Toasts = () => (
  <div class="toasts" role="status">
    {texts.value.map(({ id, text }) => (
      <p key={id}>{text}</p>
    ))}
  </div>
)
