import { createRequire } from 'node:module'

/** The number of this release. */
export const programVersion = (): string =>
  (createRequire(import.meta.url)('tonrpc/package.json') as { readonly version: string }).version
