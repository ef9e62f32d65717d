// Takes external messages, with the error codes and texts of current lite servers. v2 uses the older ones that its clients
// know.

import { LiteError, type LiteOptions } from '../../node/index.ts'
import { MessageRefused, REFUSAL_OPENING } from '../mempool/index.ts'
import type { LiteChain } from './chainSource.ts'

/** Of the contract's own refusal. */
const NOT_ACCEPTED = -701

const opened = (text: string): string => (text.startsWith(REFUSAL_OPENING) ? text : `${REFUSAL_OPENING}${text}`)

function asLiteError(cause: MessageRefused): LiteError {
  const { message, reason } = cause
  switch (reason) {
    case 'notAccepted': {
      const text = message.replace('not accepted\nCannot run message', 'not accepted: cannot run message')
      return new LiteError(NOT_ACCEPTED, text, { cause })
    }
    case 'notABag':
      return new LiteError('failed', `${REFUSAL_OPENING}cannot deserialize bag-of-cells: invalid header, error 0`, {
        cause,
      })
    case 'noShard':
      return new LiteError('notReady', opened(message), { cause })
    case 'dropped':
      return new LiteError('failed', message, { cause })
    default:
      return new LiteError('failed', opened(message), { cause })
  }
}

export async function sendMessage(
  chain: LiteChain,
  message: Uint8Array,
  { share }: Pick<LiteOptions, 'share'> = {},
): Promise<void> {
  try {
    await chain.send(message, share)
  } catch (error) {
    throw error instanceof MessageRefused ? asLiteError(error) : error
  }
}
