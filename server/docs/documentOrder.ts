import type { Version } from './entries.ts'
import type { Examples } from './examples.ts'

export type DocumentOrder =
  | { readonly kind: 'openapi'; readonly version: Version }
  | { readonly kind: 'openrpc' | 'methods' | 'guides' }
  | { readonly kind: 'guide'; readonly name: string }
  | { readonly kind: 'reference'; readonly version: Version; readonly examples: Examples }

/** The texts of an order: one, or of `methods` the list of all and then each method in the order of the registry. */
export type DrawDocument = (order: DocumentOrder) => Promise<readonly string[]>
