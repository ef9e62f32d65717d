import { createRequire } from 'node:module'

/** The number of this release. */
export function programVersion(): string {
  const { version }: { readonly version: string } = createRequire(import.meta.url)('tonrpc/package.json')
  return version
}
