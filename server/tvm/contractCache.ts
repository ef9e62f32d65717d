// Contracts that an emulator has read. Reading code, data and configuration takes more than half of a small run, and many get-methods
// run on one contract between two blocks.

import { LRUCache } from 'lru-cache'
import type { KeptText, Machine } from './machine.ts'
import type { MethodSetting } from './runParams.ts'

/** Characters of all that is kept; its cells take some ten times as many bytes of the emulator's memory. */
const MOST_CHARACTERS = 512 << 10
/** Of a larger contract only the newest is kept: runs on one follow each other. */
const MOST_OF_ONE = 128 << 10
/** Of a contract without its texts. */
const LEAST = 512

export interface NamedConfig {
  /** Two configurations never have the same. */
  readonly name: string
  readonly text: KeptText
}

interface Entry {
  readonly contract: number
  readonly size: number
}

export class ContractCache {
  readonly #machine: Machine
  readonly #entries: LRUCache<string, Entry>
  #large: { readonly key: string; readonly contract: number } | null = null

  constructor(machine: Machine) {
    this.#machine = machine
    this.#entries = new LRUCache({
      maxSize: MOST_CHARACTERS,
      sizeCalculation: ({ size }) => size,
      dispose: ({ contract }) => {
        if (!machine.broken) machine.destroyContract(contract)
      },
    })
  }

  /** Returns the output of a run as JSON. Throws TvmError `badInput` or `crashed`. */
  run(setting: MethodSetting, { name, text }: NamedConfig, methodId: number, stack: string): string {
    const key = keyOf(setting, name)
    const kept = this.#large?.key === key ? this.#large : this.#entries.get(key)
    if (kept !== undefined) return this.#machine.runMethod(kept.contract, methodId, stack)
    const size = LEAST + key.length + text.length
    const isLarge = size > MOST_OF_ONE
    // Before the next one is read: both would take twice the memory.
    if (isLarge) this.#dropLarge()
    const contract = this.#machine.createContract(setting, text)
    if (isLarge) this.#large = { key, contract }
    const output = this.#machine.runMethod(contract, methodId, stack)
    if (!isLarge) this.#entries.set(key, { contract, size })
    return output
  }

  #dropLarge(): void {
    if (this.#large !== null && !this.#machine.broken) this.#machine.destroyContract(this.#large.contract)
    this.#large = null
  }
}

/** The texts are base64 and hex, the address is last: no two settings have one key. */
const keyOf = (setting: MethodSetting, config: string): string => {
  const { code, data, libs, address, now, balance, randSeed, gasLimit, prevBlocks } = setting
  return `${config} ${now} ${balance} ${randSeed} ${gasLimit} ${code} ${data} ${libs} ${prevBlocks ?? ''} ${address}`
}
