// The answer of a host that a stranger named, which may send anything, or nothing at all.

import type { ClientRequest, IncomingMessage } from 'node:http'
import { HostError } from './hostError.ts'

/** Interim answers before the one that counts. They are not part of it, so that no bound on its bytes ends them. */
const MOST_INTERIM = 16

/**
 * Resolves with what is read of the answer; reading begins at once, as the answer may end in the same turn. Rejects where there is
 * none, and when the connection ends without one.
 */
export function answerTo<T>(sent: ClientRequest, read: (answer: IncomingMessage) => T | Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let interim = 0
    sent.on('information', () => {
      // Once: those that came with it are still reported, and may be thousands.
      if (++interim === MOST_INTERIM + 1) sent.destroy(new HostError('failed', 'the host sent interim answers only'))
    })
    sent.on('response', (answer) => resolve(read(answer)))
    sent.on('error', reject)
    // A switch of protocols that was not requested ends the connection without a response and without an error.
    sent.on('close', () => reject(new HostError('failed', 'the host sent no answer')))
  })
}
