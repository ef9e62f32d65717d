// What callers may know of their own key, and the operator's administration of all keys. Requests come as plain values,
// because a worker process passes them on to the one that keeps the keys.

import { ApiError } from '../../../shared/errors.ts'
import { dayOf, KeyStoreError, type KeyStoreReason, monthOf } from '../../access/index.ts'
import { diskFailure, hasCode } from '../../process/index.ts'
import { OWN_KEY_PATH } from '../paths/keysPaths.ts'
import { createKeysAdmin } from './keysAdmin.ts'
import type { KeysRequest, KeysResult, KeysService, KeysServiceParts } from './keysRequest.ts'
import { sumOf } from './keysWire.ts'

const KINDS: Readonly<Record<KeyStoreReason, 'notFound' | 'conflict' | 'invalidParams' | 'busy'>> = {
  notFound: 'notFound',
  refused: 'invalidParams',
  revoked: 'conflict',
  expired: 'conflict',
  conflict: 'conflict',
  damaged: 'busy',
  busy: 'busy',
}

function asKeysError(error: unknown): unknown {
  const words = diskFailure(error)
  if (hasCode(error, 'ENOSPC', 'EDQUOT'))
    return new ApiError('diskFull', `keys cannot be changed: ${words}`, { retryAfter: 5 }, { cause: error })
  if (words !== null) return new ApiError('busy', `keys cannot be read or changed: ${words}`, {}, { cause: error })
  if (!(error instanceof KeyStoreError)) return error
  const { reason, message } = error
  return new ApiError(KINDS[reason], message, reason === 'busy' ? { retryAfter: 1 } : {}, { cause: error })
}

/** To a caller, the reason is not shown: it names the database. */
function asUsageError(error: unknown): unknown {
  if (!(error instanceof KeyStoreError) || error.reason !== 'busy') return error
  return new ApiError('busy', 'The usage of keys cannot be read now', { retryAfter: 1 }, { cause: error })
}

/** The caller's own key, its budget and its usage. */
async function ownKey({ access, usage, options }: KeysServiceParts, { caller }: KeysRequest): Promise<KeysResult> {
  const now = Date.now()
  const today = dayOf(now)
  const month = monthOf(now)
  const rows = await usage.read({ from: `${month}-01`, to: today, keyId: caller.keyId }).catch((error: unknown) => {
    throw asUsageError(error)
  })
  const quota = access.peek(caller)?.quota ?? null
  return {
    status: 200,
    value: {
      id: caller.keyId,
      network: options.network,
      plan: caller.tier?.name ?? null,
      per_second: caller.tier?.perSecond ?? null,
      all_accounts: caller.allAccounts ?? false,
      monthly: quota && { limit: quota.limit, used: quota.used, reset_after: quota.resetAfter },
      usage: { today: sumOf(rows.filter(({ day }) => day === today)), month: sumOf(rows) },
    },
  }
}

export function createKeysService(parts: KeysServiceParts): KeysService {
  const administer = createKeysAdmin(parts)
  return async (request) => {
    try {
      const result = await (request.path === OWN_KEY_PATH ? ownKey(parts, request) : administer(request))
      return 'json' in result ? result : { status: result.status, json: JSON.stringify(result.value) }
    } catch (error) {
      throw asKeysError(error)
    }
  }
}
