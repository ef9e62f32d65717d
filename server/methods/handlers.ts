// Every method's code, gathered. What a group needs of the other rooms is in its factory's parameters.

import type { Handlers } from './call.ts'
import { addressHandlers } from './v2/addresses.ts'

export interface Needs {
  /** The OpenRPC document. */
  readonly discover: () => Awaited<ReturnType<Handlers['rpc.discover']>>
}

export const createHandlers = ({ discover }: Needs): Handlers => ({
  ...addressHandlers,
  'rpc.discover': () => discover(),
})
