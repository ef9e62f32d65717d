// What the service writes into a page of the explorer for its script.

import type { Network } from '../network.ts'

/** Id of the element that holds it as JSON. */
export const BOOT_ID = 'boot'

/** Below it are pictures of tokens by their raw address. */
export const PICTURES = '/explorer/image'

export interface Boot {
  readonly network: Network
  /** Root hash of the zero state of the chain it was written from; null when that is not known. */
  readonly genesis: string | null
  /** When the service wrote it, in milliseconds of its clock; null when that is not known. */
  readonly now: number | null
  /** Where callers reach the service when that was configured; else the page uses its own address. */
  readonly publicUrl: string | null
  /** Whether this page may use the control methods of the embedded chain. */
  readonly control: boolean
  /** The operator's decoders and the worker that runs them, as paths below the root; null without. */
  readonly plugin: { readonly script: string; readonly worker: string } | null
  /** The script of this page and the part of it that is open, as a path below the root; null when the page's own will do. */
  readonly script: string | null
  /** Whether the service fetches pictures of tokens by their links; those that tokens have in themselves it has in any case. */
  readonly pictures: boolean
  /** Results of the queries of the first view, by their key; a query without one is called by the page. */
  readonly replies: Readonly<Record<string, unknown>>
  /** Names of the operations in those results, by opcode; empty for one the service has no name for. */
  readonly operations: Readonly<Record<string, string>>
  /** Documents of the first view, by their path. */
  readonly documents: Readonly<Record<string, { readonly status: number; readonly text: string }>>
}
