// Descriptions of contracts by the hash of the code: those a person has added, kept by the browser, and those of the service.

import { signal } from '@preact/signals'
import type { DecoderFacts } from './pluginCalls.ts'

export interface StoredAbi {
  /** As it was given; null while it is only at the service, and for a code with a name alone. */
  readonly text: string | null
  readonly name: string
  readonly errors: Readonly<Record<string, string>>
  /** Names of messages by opcode; absent where an older page kept the ABI. */
  readonly opcodes?: Readonly<Record<string, string>>
}

const KEY = 'explorer-abis'
/** Descriptions that are kept; the oldest go first. */
export const MOST_ABIS = 100

type Stored = Readonly<Record<string, StoredAbi>>

function kept(): Stored {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof found === 'object' && found !== null ? (found as Stored) : {}
  } catch {
    // A browser can refuse storage; descriptions then last as long as the page.
    return {}
  }
}

const stored = signal<Stored>(kept())

const served = signal<Stored>({})

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
  served.value = { ...before, ...Object.fromEntries(now) }
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

/** Whether a person has added the description here. */
export const isOwnAbi = (codeHash: string): boolean => own(stored.value, codeHash) !== undefined

/** What a person has added here: texts by the hash of the code. */
export const ownAbis = (): readonly (readonly [hash: string, text: string])[] =>
  Object.entries(stored.value).flatMap(([hash, { text }]) => (text === null ? [] : [[hash, text] as const]))

/** The description of a code, when there is one: a person's own before that of the service. */
export const abiOf = (codeHash: string | null | undefined): StoredAbi | undefined =>
  codeHash ? (own(stored.value, codeHash) ?? own(served.value, codeHash)) : undefined

type Names = Pick<StoredAbi, 'errors' | 'opcodes'>

/** Names of a contract's errors and messages: of its description, else of a decoder. */
export const namesOf = (codeHash: string | null | undefined, interfaces: readonly string[] = []): Names | undefined =>
  abiOf(codeHash) ?? decoderFor(codeHash, interfaces)?.facts

/** What a message is called: by the contract it is for, or where that is not known by all contracts that agree. */
export function messageNameOf(opcode: string, codeHash?: string | null): string | null {
  const exact = namesOf(codeHash)
  if (exact !== undefined) return own(exact.opcodes ?? {}, opcode) ?? null
  if (codeHash) return null
  const all: readonly Names[] = [...plugged.value, ...Object.values({ ...served.value, ...stored.value })]
  const names = new Set(all.flatMap(({ opcodes = {} }) => own(opcodes, opcode) ?? []))
  const [name] = names
  return names.size === 1 && name !== undefined ? name : null
}

/** Keeps the description of a code; null removes it. */
export function storeAbi(codeHash: string, abi: StoredAbi | null): void {
  const others = Object.entries(stored.value).filter(([hash]) => hash !== codeHash)
  stored.value = Object.fromEntries(
    [...others, ...(abi === null ? [] : ([[codeHash, abi]] as const))].slice(-MOST_ABIS),
  )
  try {
    localStorage.setItem(KEY, JSON.stringify(stored.value))
  } catch {
    // As above.
  }
}
