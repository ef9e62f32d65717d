// What an operation is called: the same words in sentences, in the graph and the list of a trace, in tables, and in what a
// search finds. A description of the receiver's own code comes first, then the schemas of the service.

import { signal } from '@preact/signals'
import { operationName } from '../../shared/explorer/operationName.ts'
import type { Api } from '../index.ts'
import { foreignText, interfacesOf } from './accountNames.ts'
import { describedNames, namesOf } from './decoders/stored.ts'
import { boot } from './pageBoot.ts'

type Transaction = Api['v3.transactions']['result']['transactions'][number]
type Message = NonNullable<Transaction['in_msg']>

/** Names in the schemas of the service, by opcode; empty for none. */
const served = new Map(Object.entries(boot.operations))
/** Hashes of codes by account; null for an account without code. */
const codes = new Map<string, string | null>()
/** Changes whenever something new is known. */
const version = signal(0)

const wanted = { opcodes: new Set<string>(), accounts: new Set<string>() }
let isReading = false

/** Of one call. */
const MOST_WANTED = 100
const MOST_KNOWN = 10_000

function keep<T>(known: Map<string, T>, found: readonly (readonly [string, T])[]): void {
  if (found.length === 0) return
  if (known.size > MOST_KNOWN) known.clear()
  for (const [key, value] of found) known.set(key, value)
  version.value++
}

function take(from: Set<string>): readonly string[] {
  const some = [...from].slice(0, MOST_WANTED)
  for (const one of some) from.delete(one)
  return some
}

async function readWanted(): Promise<void> {
  const opcodes = take(wanted.opcodes)
  const accounts = take(wanted.accounts)
  try {
    const { readCodeHashes, readOperationNames } = await import('./operationReads.ts')
    await Promise.all([
      readOperationNames(opcodes).then((found) => keep(served, found)),
      readCodeHashes(accounts).then((found) => keep(codes, found)),
    ])
  } catch {
    // Wanted again when it is shown again.
  }
  isReading = false
}

/** Those of one view are read together. */
function want(kind: keyof typeof wanted, one: string): void {
  wanted[kind].add(one)
  if (isReading) return
  isReading = true
  setTimeout(() => void readWanted())
}

function servedName(opcode: string): string | null {
  const name = served.get(opcode)
  if (name === undefined) want('opcodes', opcode)
  return name || null
}

function codeOf(account: string): string | null | undefined {
  const code = codes.get(account)
  if (code === undefined) want('accounts', account)
  return code
}

/** Who gets the message, as far as it is known. */
export interface Receiver {
  readonly account?: string | null | undefined
  /** Hash of its code; where it is absent, it is read when a description could name the operation. */
  readonly code?: string | null
}

/** Null for an operation without a name. `general` is its name in the schemas of the service. */
export function operationWords(
  opcode: string,
  { account, code }: Receiver = {},
  general = servedName(opcode),
): string | null {
  void version.value
  const described = describedNames(opcode)
  if (described.size === 0) return general
  const own = code ?? (account ? codeOf(account) : undefined)
  if (own === undefined) return general ?? (described.size === 1 ? foreignText([...described].join('')) : null)
  const names = namesOf(own, account ? interfacesOf(account) : [])?.opcodes ?? {}
  return (Object.hasOwn(names, opcode) ? foreignText(names[opcode] ?? '') : '') || general
}

/** The name of what a message requests; null without one. */
export const messageOperation = ({ opcode, decoded_opcode: name }: Message, receiver: Receiver): string | null =>
  opcode === null ? null : operationWords(opcode, receiver, operationName(name ?? undefined) || null)

/** What a transaction did, by the message that caused it. */
export function callWords({ in_msg: message, description, account }: Transaction, code: string | null): string {
  if (message === null) return description.type.replace('_', '-')
  if (message.bounced) return 'bounced'
  return messageWords(message, { account, code })
}

/** What a message requests. */
function messageWords(message: Message, receiver: Receiver): string {
  const { opcode, source } = message
  const words = messageOperation(message, receiver)
  if (words !== null) return words
  // The first bits of what a wallet is sent from outside are those of a signature.
  if (source === null) return 'external message'
  return opcode ?? 'transfer'
}
