import type { ComponentChildren } from 'preact'

interface ConfirmProps {
  readonly label: string
  /** Accessible name, when several buttons have the same label. */
  readonly name?: string
  readonly class: string
  /** Text that describes the effect. */
  readonly words: ComponentChildren
  /** Label of the button that carries it out. */
  readonly what: string
  readonly isOpen: boolean
  readonly open: (isOpen: boolean) => void
  readonly isOff: boolean
  readonly act: () => void
}

/** Shows the effect before it is carried out. The opening button cancels, and keeps the focus. Its section must be focusable. */
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
              // The row of this button may be removed, such as that of a snapshot: its section takes the focus.
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
