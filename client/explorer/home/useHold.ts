// Whether a list that follows the chain has the pointer or the focus: then its rows must stay where they are.

import { useState } from 'preact/hooks'

export interface ListHold {
  readonly isHeld: boolean
  readonly letGo: () => void
  /** What the list needs to notice. */
  readonly onList: {
    readonly onMouseEnter: () => void
    readonly onMouseLeave: () => void
    readonly onFocusIn: () => void
    readonly onFocusOut: (event: {
      readonly currentTarget: Element
      readonly relatedTarget: EventTarget | null
    }) => void
  }
}

/** `control` is the id of a button that belongs to the list without being in it. */
export function useHold(control?: string): ListHold {
  const [isPointed, setPointed] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  return {
    isHeld: isPointed || hasFocus,
    letGo: () => setFocus(false),
    onList: {
      onMouseEnter: () => setPointed(true),
      onMouseLeave: () => setPointed(false),
      onFocusIn: () => setFocus(true),
      onFocusOut: ({ currentTarget, relatedTarget: to }) =>
        setFocus(to instanceof Element && (to.id === control || currentTarget.contains(to))),
    },
  }
}
