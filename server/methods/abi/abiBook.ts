// Names of accounts and descriptions of codes: those of files, which can change while the service runs, and those of calls.

import { ApiError } from '../../../shared/errors.ts'
import { diskRefusal } from '../errors/diskRefusal.ts'
import { UndoableMap } from './undoableMap.ts'

/** What is known of a code. */
export interface AbiEntry {
  /** In hex, in small letters. */
  readonly codeHash: string
  readonly name: string
  /** Null for a code with a name alone. */
  readonly text: string | null
  readonly errors: Readonly<Record<string, string>>
  /** Names of messages; absent where an older version kept the entry. */
  readonly opcodes?: Readonly<Record<string, string>>
}

interface SourcedAbi extends AbiEntry {
  readonly source: 'file' | 'call'
}

/** What calls have given, as it is kept between runs. */
export interface GivenNames {
  /** By raw address. */
  readonly names: Readonly<Record<string, string>>
  readonly abis: readonly AbiEntry[]
}

export interface AbiBookParts {
  /** Descriptions in files, as they are now. */
  readonly files?: () => Promise<readonly AbiEntry[]>
  readonly given?: GivenNames
  readonly save?: (given: GivenNames) => Promise<void>
}

const MOST_NAMES = 10_000
const MOST_ABIS = 500
const MOST_CHARACTERS = 32 << 20

export class AbiBook {
  readonly #parts: AbiBookParts
  readonly #names: UndoableMap<string>
  readonly #abis: UndoableMap<AbiEntry>

  constructor(parts: AbiBookParts = {}) {
    this.#parts = parts
    this.#names = new UndoableMap(Object.entries(parts.given?.names ?? {}))
    this.#abis = new UndoableMap((parts.given?.abis ?? []).map((one) => [one.codeHash, one] as const))
  }

  get names(): ReadonlyMap<string, string> {
    return this.#names.values
  }

  /** By hash of code; what a call gave wins over a file. */
  async entries(): Promise<ReadonlyMap<string, SourcedAbi>> {
    const files = (await this.#parts.files?.()) ?? []
    const entries = new Map<string, SourcedAbi>(files.map((one) => [one.codeHash, { ...one, source: 'file' }]))
    for (const [hash, one] of this.#abis.values) entries.set(hash, { ...one, source: 'call' })
    return entries
  }

  /** Throws ApiError for one name too many, and where it cannot be kept. */
  async setName(raw: string, name: string | null): Promise<void> {
    if (name !== null && this.names.size >= MOST_NAMES && !this.names.has(raw))
      throw new ApiError('invalidParams', `${MOST_NAMES} names are kept: remove some with an empty name`)
    await this.#save(this.#names.change([[raw, name]]))
  }

  /** Throws ApiError for one too many, or too much text, and where it cannot be kept. */
  async setAbi(codeHash: string, entry: Omit<AbiEntry, 'codeHash'> | null): Promise<void> {
    if (entry !== null) return this.setAbis([{ codeHash, ...entry }])
    await this.#save(this.#abis.change([[codeHash, null]]))
  }

  /** All of them or none. Throws ApiError for one too many, or too much text, and where they cannot be kept. */
  async setAbis(entries: readonly AbiEntry[]): Promise<void> {
    const given = entries.map((one) => [one.codeHash, one] as const)
    const after = new Map([...this.#abis.values, ...given])
    const characters = [...after.values()].reduce((sum, { text }) => sum + (text?.length ?? 0), 0)
    if (after.size > MOST_ABIS || characters > MOST_CHARACTERS)
      throw new ApiError('invalidParams', `${MOST_ABIS} ABIs of 32 MB in all are kept: remove some with an empty abi`)
    await this.#save(this.#abis.change(given))
  }

  /** How many there are. */
  async count(): Promise<{ readonly names: number; readonly abis: number }> {
    return { names: this.names.size, abis: (await this.entries()).size }
  }

  /** What cannot be kept is taken back: its caller hears that it was not done. */
  async #save(ended: (isKept: boolean) => void): Promise<void> {
    try {
      await this.#parts.save?.({ names: Object.fromEntries(this.names), abis: [...this.#abis.values.values()] })
      ended(true)
    } catch (error) {
      ended(false)
      throw diskRefusal(error, 'names and ABIs cannot be kept') ?? error
    }
  }
}
