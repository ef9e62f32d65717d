// The first rows of a list that can have thousands, and a button for more of them.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export interface First<T> {
  readonly shown: readonly T[]
  /** Null when all are shown. */
  readonly more: ComponentChildren
}

export function useFirst<T>(all: readonly T[], count: number): First<T> {
  const [most, setMost] = useState(count)
  const rest = all.length - most
  return {
    shown: all.slice(0, most),
    more:
      rest <= 0 ? null : (
        <button type="button" class="second" onClick={() => setMost(most + count)}>
          Show {Math.min(count, rest)} more of {all.length}
        </button>
      ),
  }
}
