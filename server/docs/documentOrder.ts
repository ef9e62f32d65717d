import type { Version } from './entries.ts'

export type DocumentOrder =
  | { readonly kind: 'openapi' | 'reference'; readonly version: Version }
  | { readonly kind: 'openrpc' | 'methods' | 'guides' }
  | { readonly kind: 'guide'; readonly name: string }

/**
 * The texts of an order: one, of `reference` the page without its examples and the calls of it, or of `methods` the list of
 * all and then each method in the order of the registry.
 */
export type DrawDocument = (order: DocumentOrder) => Promise<readonly string[]>
