/** Offers a text, or bytes, as a file, as a download does. */
export function saveFile(name: string, content: string | Uint8Array<ArrayBuffer>): void {
  const text = name.endsWith('.csv') ? 'text/csv' : 'application/json'
  const type = typeof content === 'string' ? text : 'application/octet-stream'
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The browser has taken the content over by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
