// The keys of a data folder or a database for one command, and why it could not do its work, in words.

import { type KeyStore, KeyStoreError, type PlanStore } from '../../access/index.ts'
import { type KeysPlace, openKeys } from '../../app/callers.ts'
import { withSecrets } from '../../app/settings/secretFiles.ts'
import { StartRefused } from '../../app/startRefused.ts'
import { diskFailure, failureText, hasCode } from '../../process/index.ts'
import type { Io } from '../command.ts'
import { CommandError, UsageError } from '../commandErrors.ts'

export interface KeysIo extends Pick<Io, 'out' | 'err'>, KeysPlace {
  /** Print one JSON document in place of text. */
  readonly json: boolean
}

const WHERE_IDS_ARE = '. Ids are in the first column of: tonrpc keys list'

/** `hint` follows a refusal of what does not exist. */
export async function withKeys(
  io: KeysIo,
  work: (keys: KeyStore, plans: PlanStore) => Promise<void>,
  hint = WHERE_IDS_ARE,
): Promise<void> {
  try {
    const { keys, plans, close } = await openKeys(withSecrets(io), (error) => io.err(error.message))
    try {
      await work(keys, plans)
    } finally {
      await close()
    }
  } catch (error) {
    throw explained(error, hint)
  }
}

export function explained(error: unknown, hint = WHERE_IDS_ARE): Error {
  if (error instanceof StartRefused) return new CommandError(error.message, { cause: error })
  if (!(error instanceof KeyStoreError)) {
    const text = failureText(error)
    const onDisk = diskFailure(error)
    const advice = onDisk === null ? '' : `: ${onDisk}; ${remedyFor(error)}`
    return new CommandError(`the keys cannot be read or written: ${text}${advice}`, { cause: error })
  }
  if (error.reason === 'refused') return new UsageError(error.message, { cause: error })
  return new CommandError(`${error.message}${error.reason === 'notFound' ? hint : ''}`, { cause: error })
}

/** A key in another folder is of no use to the service that has this one. */
function remedyFor(error: unknown): string {
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return 'make room there, and run the command again'
  const other = 'name another folder with --data'
  return hasCode(error, 'EACCES', 'EPERM') ? `run the command as the user of the service, or ${other}` : other
}
