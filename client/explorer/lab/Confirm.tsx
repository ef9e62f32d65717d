import type { ComponentChildren } from 'preact'

interface ConfirmProps {
  readonly label: string
  /** For readers of the screen, where several have one label. */
  readonly name?: string
  readonly class: string
  /** What it does. */
  readonly words: ComponentChildren
  /** The button that does it. */
  readonly what: string
  readonly isOpen: boolean
  readonly open: (isOpen: boolean) => void
  readonly isOff: boolean
  readonly act: () => void
}

/** Says first what it does, and can be left: by the button that opened it, which keeps the focus. In a section that takes it. */
export function Confirm({ label, name, class: look, words, what, isOpen, open, isOff, act }: ConfirmProps) {
  return (
    <span class="confirm">
      {isOpen && (
        <>
          {words}
          <button
            type="button"
            class="danger-button small"
            aria-disabled={isOff}
            onClick={({ currentTarget }) => {
              if (isOff) return
              // What it was about may be gone then, such as a snapshot.
              currentTarget.closest('section')?.focus()
              act()
            }}
          >
            {what}
          </button>
        </>
      )}
      <button
        key="opener"
        type="button"
        class={isOpen ? 'second small' : look}
        aria-disabled={isOff}
        {...(isOpen || name === undefined ? {} : { 'aria-label': name })}
        onClick={() => isOff || open(!isOpen)}
      >
        {isOpen ? 'Keep' : label}
      </button>
    </span>
  )
}
