import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MOST_CONFIG_BYTES } from '../../node/index.ts'
import { hasCode, removeOldDrafts, replaceFile } from '../../process/index.ts'

/** The copy of a list in the data folder. */
export class KeptList {
  readonly #file: string
  readonly #source: string
  readonly #url: string

  constructor(data: string, url: string) {
    this.#file = join(data, 'network', 'config.json')
    this.#source = join(data, 'network', 'config.url')
    this.#url = url
  }

  /** Null without a stored list of this address. */
  async read(): Promise<{ readonly text: string; readonly ageMs: number } | null> {
    try {
      if ((await readFile(this.#source, 'utf8')).trim() !== this.#url) return null
      const { mtimeMs, size } = await stat(this.#file)
      if (size > MOST_CONFIG_BYTES) return null
      return { text: await readFile(this.#file, 'utf8'), ageMs: Date.now() - mtimeMs }
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null
      throw error
    }
  }

  async write(text: string): Promise<void> {
    await replaceFile(this.#file, text)
    await replaceFile(this.#source, `${this.#url}\n`)
    for (const path of [this.#file, this.#source]) await removeOldDrafts(path)
  }
}
