// The button that saves a list: its rows on the page and those that follow, as a file for spreadsheets.

import { useEffect, useRef, useState } from 'preact/hooks'
import { loadedOrSaid } from '../laterScript.ts'
import type { SavedReading, SavedRows } from './saveRows.ts'

/** Pressed again it stops, and saves what was read. */
export function SaveButton(props: SavedRows) {
  const [count, setCount] = useState<number | null>(null)
  const reading = useRef<SavedReading | null>(null)
  useEffect(
    () => () => {
      if (reading.current !== null) reading.current.isGone = true
    },
    [],
  )
  const press = async () => {
    if (reading.current !== null) {
      reading.current.isStopped = true
      return
    }
    const mine = { isStopped: false, isGone: false }
    reading.current = mine
    setCount(0)
    const script = await loadedOrSaid(import('./saveRows.ts'))
    await script?.saveRows(props, mine, setCount)
    reading.current = null
    if (!mine.isGone) setCount(null)
  }
  return (
    <button type="button" class="second small" onClick={() => void press()}>
      {count === null ? 'Save as CSV' : `Stop: ${count} read`}
    </button>
  )
}
