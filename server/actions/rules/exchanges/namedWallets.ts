// Wallets and pools of exchanges that have no part in a trace and are only named in it: by a swap that failed, or by a
// deposit that waits. Which jettons they hold or exchange has to be known all the same.

import { jettons } from '../../../bodies/index.ts'
import { openCell, type Slice } from '../../../cell/index.ts'
import { orNull } from '../../../tlb/index.ts'
import type { TraceMessage } from '../../input.ts'
import { cellOf } from '../../node.ts'
import { JETTON_NOTIFY } from '../../opcodes.ts'
import { fieldsOf, openPayload, readAddress } from '../../reading.ts'
import { JETTON_SWAP_PAYLOAD, poolsOf, SWAP } from '../dedust/steps.ts'
import { PAY_TO_V2, readPayTo as readStonfiPayTo } from '../stonfi/payTo.ts'
import { PAY_TO, readPayTo as readToncoPayTo } from '../tonco/payTo.ts'

/** Requests to routers, as payloads: each begins with the wallet of the other asset. */
const REQUESTS: readonly number[] = [0x25938561, 0x6664de2a, 0x37c096df, 0x4468de77, 0xa7fb58f8]

type Wallets = readonly (string | null)[]

const readForwarded = fieldsOf(jettons.notify, 'forwardPayload')

/** A request that arrived at a router or a vault. */
function readNotice(body: Slice): Wallets {
  const payload = openPayload(readForwarded(body).forwardPayload)
  const operation = payload?.loadUint(32)
  if (payload === null || operation === undefined) return []
  if (operation === JETTON_SWAP_PAYLOAD) return poolsOf(payload)
  return REQUESTS.includes(operation) ? [readAddress(payload)] : []
}

function readSwapOfTon(body: Slice): Wallets {
  body.skip(64).loadCoins()
  return poolsOf(body)
}

/** Behind the operation. */
const READERS: ReadonlyMap<number, (body: Slice) => Wallets> = new Map([
  [JETTON_NOTIFY, readNotice],
  [SWAP, readSwapOfTon],
  [PAY_TO_V2, (body) => readStonfiPayTo(body).shares.map(({ wallet }) => wallet)],
  [PAY_TO, (body) => readToncoPayTo(body).shares.map(({ wallet }) => wallet)],
])

/** Those a message names. */
export function namedWallets({ opcode, body }: TraceMessage): Wallets {
  const read = READERS.get(opcode ?? -1)
  const cell = read === undefined ? null : cellOf(body)
  if (read === undefined || cell === null) return []
  return orNull(() => read(openCell(cell).skip(32))) ?? []
}
