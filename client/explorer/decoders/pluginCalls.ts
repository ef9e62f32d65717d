// What the page and the worker that runs an operator's decoders say to each other. The worker promises: nothing it sends
// needs more trust than text.

import type { Getter } from '../../../shared/abi/abi.ts'

/** What a decoder says of itself, without its functions. */
export interface DecoderFacts {
  readonly name: string
  /** Base64, as replies of v3 have them. */
  readonly codeHashes: readonly string[]
  readonly interfaces: readonly string[]
  readonly errors: Readonly<Record<string, string>>
  readonly opcodes: Readonly<Record<string, string>>
  readonly getters: readonly Getter[]
  readonly reads: readonly DecoderCall['what'][]
}

export interface DecoderCall {
  readonly id: number
  /** Place in the list of decoders. */
  readonly decoder: number
  readonly what: 'message' | 'storage'
  /** Base64. */
  readonly boc: string
  readonly way: 'in' | 'out' | 'external'
}

export interface PluginDecoded {
  readonly type: string
  /** Values in the order of the decoder. */
  readonly fields: Readonly<Record<string, unknown>>
}

export type ToPlugin = { readonly load: string } | { readonly call: DecoderCall }

export type FromPlugin =
  | { readonly loaded: readonly DecoderFacts[] }
  | { readonly refused: string }
  /** The call begins now: its time is counted from here. */
  | { readonly began: number }
  | { readonly id: number; readonly found: PluginDecoded | null; readonly error: string | null }
