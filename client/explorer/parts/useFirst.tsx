// The first rows of a list that can have thousands, and a button for more of them.

import type { ComponentChildren } from 'preact'
import { useStepState } from './useStepState.ts'

export interface First<T> {
  readonly shown: readonly T[]
  /** Null when all are shown. */
  readonly more: ComponentChildren
}

/** `name` is its own on the page. */
export function useFirst<T>(all: readonly T[], count: number, name: string): First<T> {
  const [most, setMost] = useStepState(name, count)
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
