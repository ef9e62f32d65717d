// The caller's key: it lives in this tab.

const KEY_NAME = 'tonrpc.key'

export const keyInput = document.querySelector<HTMLInputElement>('#api-key')

/** Some private modes have no storage: the key is kept in the input only. */
function stored(change?: (storage: Storage) => void): string {
  try {
    change?.(sessionStorage)
    return sessionStorage.getItem(KEY_NAME) ?? ''
  } catch {
    return ''
  }
}

export function keepKey(input: HTMLInputElement): void {
  input.value = stored()
  input.addEventListener('input', () => {
    const key = input.value.trim()
    stored((storage) => (key === '' ? storage.removeItem(KEY_NAME) : storage.setItem(KEY_NAME, key)))
  })
}

export const currentKey = (): string => keyInput?.value.trim() ?? ''
