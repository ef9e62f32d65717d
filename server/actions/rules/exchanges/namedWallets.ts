// Wallets and pools of exchanges that have no part in a trace and are only named in it: by a swap that failed, or by a
// deposit that waits. Which jettons they hold or exchange has to be known all the same.

import { dedust, jettons, routerRequest, stonfi, stonfiV2, tonco } from '../../../bodies/index.ts'
import { openCell, orNull, type Slice } from '../../../cell/index.ts'
import type { TraceMessage } from '../../input.ts'
import { cellOf } from '../../node.ts'
import { JETTON_NOTIFY } from '../../opcodes.ts'
import { fieldsOf, openPayload } from '../../reading.ts'
import { poolsOf } from '../dedust/steps.ts'
import { readPayTo as readStonfiPayTo } from '../stonfi/payTo.ts'
import { readToncoPayTo } from '../tonco/payTo.ts'

/** Requests to routers, as payloads: each names the router's wallet of the other asset. */
const REQUESTS: readonly number[] = [stonfi.swapPayload, stonfiV2.swap, stonfiV2.provide, tonco.fund, tonco.swap].map(
  ({ opcode }) => opcode,
)

type Wallets = readonly (string | null)[]

const readForwarded = fieldsOf(jettons.notify, 'forwardPayload')
const readRequest = fieldsOf(routerRequest)
const readSwap = fieldsOf(dedust.swap, 'step')

/** A request that arrived at a router or a vault. */
function readNotice(body: Slice): Wallets {
  const payload = openPayload(readForwarded(body).forwardPayload)
  if (payload === null) return []
  if (dedust.jettonSwap.begins(payload)) return poolsOf(payload)
  const { operation, tokenWallet } = readRequest(payload)
  return REQUESTS.includes(operation) ? [tokenWallet] : []
}

/** Behind the operation. */
const READERS: ReadonlyMap<number, (body: Slice) => Wallets> = new Map([
  [JETTON_NOTIFY, readNotice],
  [dedust.swap.opcode, (body) => poolsOf(readSwap(body).step)],
  [stonfiV2.payTo.opcode, (body) => readStonfiPayTo(body).shares.map(({ wallet }) => wallet)],
  [tonco.payTo.opcode, (body) => readToncoPayTo(body).shares.map(({ wallet }) => wallet)],
])

/** Those a message names. */
export function namedWallets({ opcode, body }: TraceMessage): Wallets {
  const read = READERS.get(opcode ?? -1)
  const cell = read === undefined ? null : cellOf(body)
  if (read === undefined || cell === null) return []
  return orNull(() => read(openCell(cell).skip(32))) ?? []
}
