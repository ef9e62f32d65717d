// Why a service could not start, in a line with the remedy.

import { resolve } from 'node:path'
import type { Config } from '../../app/index.ts'
import { diskFailure, hasCode, SecretDamaged } from '../../process/index.ts'

/** A file that another user has made, as of a service that ran as root before, or a disk that takes no more; null for other failures. */
function fileFailure(error: unknown, data: string): string | null {
  if (hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'))
    return `${resolve(data)} cannot be written to: ${diskFailure(error)}; mend that, or choose another folder with --data`
  if (!hasCode(error, 'EACCES', 'EPERM') || !(error instanceof Error && 'path' in error)) return null
  return `${String(error.path)} cannot be read or written by this user: give it the whole data folder, or choose another with --data`
}

export const tooFewFiles = (enough = 1024): string =>
  `this process may not open enough files: raise the limit, for instance with ulimit -n ${enough}`

/** Mostly because it could not listen; null for what is no fault of its surroundings. */
export function startFailure(
  error: unknown,
  { host, port, data }: Pick<Config, 'host' | 'port' | 'data'>,
): string | null {
  if (error instanceof SecretDamaged) return error.message
  const ofFile = fileFailure(error, data)
  if (ofFile !== null) return ofFile
  if (hasCode(error, 'EADDRINUSE'))
    return `port ${port} is taken: choose another with --port, or --port 0 for a free one`
  if (hasCode(error, 'EACCES')) return `not allowed to listen on port ${port}: choose one above 1023 with --port`
  const noAddress = hasCode(error, 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT')
  if (hasCode(error, 'EMFILE', 'ENFILE')) return tooFewFiles()
  if (error instanceof RangeError && /wasm memory|WebAssembly\.Memory/i.test(error.message))
    return 'this process may not reserve enough addresses for WebAssembly: raise the limit, for instance with ulimit -v unlimited'
  return noAddress ? `${host} is no address of this machine: choose another with --host` : null
}
