import { useEffect, useRef } from 'preact/hooks'

/**
 * Reads again for every other `moment`, one reading at a time: those that come meanwhile are one more. Results that take longer
 * than the next moment are shown all the same. `read` handles its failures.
 */
export function useReadings(moment: string, read: () => Promise<void>): void {
  const { current } = useRef({ read, wanted: moment, isReading: false, isShown: true })
  current.read = read
  current.wanted = moment
  useEffect(() => {
    current.isShown = true
    return () => {
      current.isShown = false
    }
  }, [])
  useEffect(() => {
    const readAll = async (): Promise<void> => {
      let last: string | null = null
      while (current.isShown && last !== current.wanted) {
        last = current.wanted
        await current.read()
      }
      current.isReading = false
    }
    if (current.isReading) return
    current.isReading = true
    void readAll()
  }, [moment])
}
