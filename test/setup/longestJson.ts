import { vi } from 'vitest'

/** Characters of the longest JSON text that is read or written in one piece while `work` runs. */
export async function longestJson(work: () => Promise<unknown>): Promise<number> {
  const read = vi.spyOn(JSON, 'parse')
  const written = vi.spyOn(JSON, 'stringify')
  try {
    await work()
    const lengths = [
      ...read.mock.calls.map(([text]) => text.length),
      ...written.mock.results.map(({ value }) => String(value).length),
    ]
    return lengths.reduce((longest, length) => Math.max(longest, length), 0)
  } finally {
    read.mockRestore()
    written.mockRestore()
  }
}
