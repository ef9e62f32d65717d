// Get-methods of a contract by their ids, and those a page runs by itself.

import { crc16 } from '../address.ts'
import { methodNames } from '../methodNames.ts'
import { query } from './explorerQuery.ts'

const NAMED = 0x10000
/** The id of a method by the UTF-8 of its name. */
export const idOfName = (name: Uint8Array): number => crc16(name) | NAMED

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** Of the contracts every chain has: the elector and the configuration. */
const OF_THE_CHAIN = [
  'active_election_id',
  'participates_in',
  'participant_list',
  'participant_list_extended',
  'past_elections',
  'past_elections_list',
  'past_election_ids',
  'compute_returned_stake',
  'complaint_storage_price',
  'get_past_complaints',
  'list_complaints',
  'show_complaint',
  'proposal_storage_price',
  'list_proposals',
  'get_proposal',
]

const NAMES: ReadonlyMap<number, string> = new Map(
  [...Object.values(methodNames).flat(), ...OF_THE_CHAIN].map((name) => [idOfName(ascii(name)), name] as const),
)

/** The name compilers would make this id of, when it is a known one. */
export const methodNameOf = (id: number): string | null => NAMES.get(id) ?? null

const INTERNAL_IDS = new Set([0, -1, -2, -3, 524_287, 524_286, 524_285])

/** Whether an id is of a name; compilers number functions of the contract itself from 1. */
export const isNamed = (id: number): boolean => id >= NAMED

export const isGetMethod = (id: number): boolean => !INTERNAL_IDS.has(id)

/** How methods begin that often have no arguments. */
const READS = /^(?:get_|is_|seqno$|current)/
/** One batch. */
const MOST_RUN = 8

/** Those of the named methods that are run at once: they only read, and want no arguments as far as is known. */
export const readsOf = (names: readonly (string | null)[]): readonly string[] =>
  names.flatMap((name) => (name !== null && READS.test(name) ? [name] : [])).slice(0, MOST_RUN)

export const runOf = (address: string, method: string) => query('v3.runGetMethod', { address, method, stack: [] })
