import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface FoldedProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** Its content is drawn, and its script loaded, when it is opened. */
export function Folded({ title, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="forms" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}
