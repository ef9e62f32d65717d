// Descriptions of contracts by the hash of the code: those a person has added, kept by the browser, and those of the service.

import { signal } from '@preact/signals'
import { isObject } from '../../../shared/isObject.ts'
import type { DecoderFacts } from './pluginCalls.ts'

export interface StoredAbi {
  /** As it was given; null while it is only at the service, and for a code with a name alone. */
  readonly text: string | null
  readonly name: string
  readonly errors: Readonly<Record<string, string>>
  /** Names of messages by opcode; absent where an older page kept the ABI. */
  readonly opcodes?: Readonly<Record<string, string>>
}

export const ABIS_KEY = 'explorer-abis'

export type StoredAbis = Readonly<Record<string, StoredAbi>>

/** Null where a browser refuses storage; descriptions then last as long as the page. */
export function keptAbis(): StoredAbis | null {
  try {
    const found: StoredAbis | null = JSON.parse(localStorage.getItem(ABIS_KEY) ?? '{}')
    return isObject(found) ? found : {}
  } catch {
    return null
  }
}

/** Those a person has added. */
export const stored = signal<StoredAbis>(keptAbis() ?? {})

// Another tab adds and removes, too.
globalThis.addEventListener?.('storage', () => {
  stored.value = keptAbis() ?? stored.value
})

const served = signal<StoredAbis>({})

/** Takes over what the service has. Texts that were read stay. */
export function serveAbis(
  abis: readonly {
    readonly code_hash: string
    readonly abi: string | null
    readonly name: string
    readonly errors: StoredAbi['errors']
    readonly opcodes?: StoredAbi['opcodes']
  }[],
): void {
  if (abis.length === 0) return
  const before = served.value
  const now = abis.map(({ code_hash: hash, abi: text, name, errors, opcodes = {} }) => [
    hash,
    { text: text ?? before[hash]?.text ?? null, name, errors, opcodes },
  ])
  const all: StoredAbis = { ...before, ...Object.fromEntries(now) }
  // Read again with every step to another page: what is as before draws nothing.
  if (JSON.stringify(all) !== JSON.stringify(before)) served.value = all
}

/** Decoders of the operator's script. */
const plugged = signal<readonly DecoderFacts[]>([])

export function plugDecoders(facts: readonly DecoderFacts[]): void {
  plugged.value = facts
}

/** The decoder of a code, else of an interface. */
export function decoderFor(
  codeHash: string | null | undefined,
  interfaces: readonly string[] = [],
): { readonly facts: DecoderFacts; readonly at: number } | null {
  const all = plugged.value.map((facts, at) => ({ facts, at }))
  return (
    all.find(({ facts }) => codeHash && facts.codeHashes.includes(codeHash)) ??
    all.find(({ facts }) => facts.interfaces.some((name) => interfaces.includes(name))) ??
    null
  )
}

const own = <T>(all: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(all, key) ? all[key] : undefined

/** The description of a code, when there is one: a person's own before that of the service. */
export const abiOf = (codeHash: string | null | undefined): StoredAbi | undefined =>
  codeHash ? (own(stored.value, codeHash) ?? own(served.value, codeHash)) : undefined

/** All that are known, by the hash of the code: a person's own before those of the service. */
export const allAbis = (): StoredAbis => ({ ...served.value, ...stored.value })

type Names = Pick<StoredAbi, 'errors' | 'opcodes'>

/** Names of a contract's errors and messages: of its description, else of a decoder. */
export const namesOf = (codeHash: string | null | undefined, interfaces: readonly string[] = []): Names | undefined =>
  abiOf(codeHash) ?? decoderFor(codeHash, interfaces)?.facts

/** All names that descriptions have for an operation. */
export function describedNames(opcode: string): ReadonlySet<string> {
  const all: readonly Names[] = [...plugged.value, ...Object.values(allAbis())]
  return new Set(all.flatMap(({ opcodes = {} }) => own(opcodes, opcode) ?? []))
}
