import type { ComponentChildren } from 'preact'
import { useFolded } from './useFolded.ts'

interface FoldedProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** Its content is drawn, and its script loaded, when it is opened. */
export function Folded({ title, children }: FoldedProps) {
  const [isOpen, fold] = useFolded(title)
  return (
    <details class="forms" {...fold}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}
