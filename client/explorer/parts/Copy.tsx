import type { ComponentChildren } from 'preact'
import { toast } from './Toast.tsx'

/** Without a clipboard, which browsers give to pages on this machine and by https alone: what is selected can be copied. */
function copySelected(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  // Where it is does not scroll the page.
  field.style.position = 'fixed'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isCopied
}

/** The longest text that fits into a message at the edge of the page. */
const MOST_SHOWN = 300
/** How long a text is there to be selected. */
const SHOWN_MS = 60_000

export async function copyText(text: string, what: string): Promise<void> {
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  const refused = 'The browser does not let this page copy. '
  if (isCopied || copySelected(text)) toast(`Copied the ${what}.`)
  else if (text.length > MOST_SHOWN) toast(`${refused}Select the ${what} instead.`)
  // Some texts, such as the RPC URL, are nowhere on the page.
  else toast(`${refused}The ${what} is: ${text}`, SHOWN_MS)
}

export interface CopyProps {
  /** A function where it takes time to write. */
  readonly text: string | (() => string)
  /** What is copied, as a word of a sentence: `address`. */
  readonly what: string
  /** Shown on the button instead of the sign. */
  readonly label?: ComponentChildren
}

export const Copy = ({ text, what, label }: CopyProps) => (
  <button
    type="button"
    class={label === undefined ? 'copy' : 'second small'}
    {...(label === undefined ? { 'aria-label': `Copy the ${what}`, title: `Copy the ${what}` } : {})}
    onClick={() => void copyText(typeof text === 'string' ? text : text(), what)}
  >
    {label ?? (
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />
      </svg>
    )}
  </button>
)
