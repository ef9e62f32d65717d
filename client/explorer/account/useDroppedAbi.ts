import { useEffect } from 'preact/hooks'
import { loadedOrSaid } from '../laterScript.ts'

/** Takes an ABI that is dropped anywhere on the page. `code` is the hash of the account's code; null without one. */
export function useDroppedAbi(code: string | null): void {
  useEffect(() => {
    const fileOf = ({ dataTransfer, target }: DragEvent): DataTransferItem | null => {
      // A field for files takes what is dropped on it.
      if (target instanceof HTMLInputElement) return null
      return [...(dataTransfer?.items ?? [])].find(({ kind }) => kind === 'file') ?? null
    }
    const onDragOver = (event: DragEvent): void => {
      if (fileOf(event) !== null) event.preventDefault()
    }
    const onDrop = (event: DragEvent): void => {
      const file = fileOf(event)?.getAsFile()
      if (!file) return
      // The browser would leave the page for it.
      event.preventDefault()
      void loadedOrSaid(import('../decoders/dropAbi.ts')).then((script) => script?.takeAbiFile(file, code))
    }
    document.addEventListener('dragover', onDragOver)
    document.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', onDragOver)
      document.removeEventListener('drop', onDrop)
    }
  }, [code])
}
