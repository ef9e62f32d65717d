/** Offers a text as a file, as a download does. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  // The browser has taken the content over by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
