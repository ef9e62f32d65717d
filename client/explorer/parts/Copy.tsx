import { toast } from './Toast.tsx'

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(`Copied the ${what}.`)
  } catch {
    toast(`The browser does not let this page copy. Select the ${what} instead.`)
  }
}

export interface CopyProps {
  /** A function where it takes time to write. */
  readonly text: string | (() => string)
  /** What is copied, as a word of a sentence: `address`. */
  readonly what: string
  /** Shown on the button instead of the sign. */
  readonly label?: string
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
