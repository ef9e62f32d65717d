// Contracts that an emulator has read. Reading code, data and configuration takes more than half of a small run, and many get-methods
// run on one contract between two blocks.

import { LRUCache } from 'lru-cache'
import type { KeptText, Machine } from './machine.ts'
import type { MethodSetting } from './runParams.ts'

/** Characters of all that is kept; its cells take some ten times as many bytes of the emulator's memory. */
const MOST_CHARACTERS = 512 << 10
/** A larger contract is read by each run. */
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
    const kept = this.#entries.get(key)
    if (kept !== undefined) return this.#machine.runMethod(kept.contract, methodId, stack)
    const contract = this.#machine.createContract(setting, text)
    const output = this.#machine.runMethod(contract, methodId, stack)
    const size = LEAST + key.length + text.length
    if (size > MOST_OF_ONE) this.#machine.destroyContract(contract)
    else this.#entries.set(key, { contract, size })
    return output
  }
}

/** The texts are base64 and hex, the address is last: no two settings have one key. */
const keyOf = (setting: MethodSetting, config: string): string => {
  const { code, data, libs, address, now, balance, randSeed, gasLimit, prevBlocks } = setting
  return `${config} ${now} ${balance} ${randSeed} ${gasLimit} ${code} ${data} ${libs} ${prevBlocks ?? ''} ${address}`
}
