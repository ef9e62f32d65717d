import { LiteError, type ReadOptions } from '../../node/index.ts'
import type { Slots } from './slots.ts'

/** How the node is asked. */
export interface Asking {
  /** Bounds concurrent requests to the node. */
  readonly lanes: Pick<Slots, 'run'>
  /** How long the node may take for one answer. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Asks the node once it is not busy with other requests. */
export const askNode = <T>(
  { lanes, timeoutMs, signal }: Asking,
  query: (options: ReadOptions) => Promise<T>,
): Promise<T> => lanes.run(() => query({ timeoutMs, signal }))

/** Null for what no server has any more. */
export async function ifThere<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof LiteError && error.isMissing) return null
    throw error
  }
}
