// A pool of TONCO comes to life.

import { tonco, toncoMinters } from '../../../bodies/index.ts'
import { openCell, type Slice } from '../../../cell/index.ts'
import { Kind } from '../../actionKind.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { EXCESS } from '../../opcodes.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

interface PoolOrder {
  readonly wallets: readonly [string | null, string | null]
  readonly minters: readonly [string | null, string | null]
  readonly tickSpacing: number
  readonly price: bigint
  readonly isActive: boolean
  readonly protocolFee: number
  readonly lpFeeBase: number
  readonly lpFeeCurrent: number
}

interface NewPool extends PoolOrder {
  readonly source: string | null
  readonly router: string | null
  readonly pool: string | null
}

const TONCO_DEPLOY_POOL = new Kind<NewPool>({
  type: 'tonco_deploy_pool',
  describe: ({ source, router, pool, wallets, minters, ...order }) => ({
    roles: { source, destination: router, destinationSecondary: pool },
    details: {
      source,
      pool,
      router,
      router_jetton_wallet_1: wallets[0],
      router_jetton_wallet_2: wallets[1],
      jetton_minter_1: minters[0],
      jetton_minter_2: minters[1],
      tick_spacing: digits(order.tickSpacing),
      initial_price_x96: digits(order.price),
      protocol_fee: digits(order.protocolFee),
      lp_fee_base: digits(order.lpFeeBase),
      lp_fee_current: digits(order.lpFeeCurrent),
      pool_active: order.isActive,
    },
  }),
})

const readRequest = fieldsOf(tonco.createPool)
const readMinters = fieldsOf(toncoMinters)

/** Fees are read a bit early, at the one that says whether the pool is active: those are the figures clients know. */
function readOrder(body: Slice): PoolOrder {
  const { wallet0, wallet1, tickSpacing, price, rest } = readRequest(body)
  const isActive = rest.clone().loadBit()
  const protocolFee = rest.loadUint(16)
  const lpFeeBase = rest.loadUint(16)
  const lpFeeCurrent = rest.loadUint(16)
  const { minter0, minter1 } = readMinters(openCell(rest.skipRefs(2).loadRef()))
  return {
    wallets: [wallet0, wallet1],
    tickSpacing,
    price,
    isActive,
    protocolFee,
    lpFeeBase,
    lpFeeCurrent,
    minters: [minter0, minter1],
  }
}

/** Invariant: the router, requested a pool, deploys it; terms are those of the request. */
export const toncoDeployPool: Rule = {
  name: 'tonco/pool',
  begins: isCall(tonco.createPool.opcode),
  match(request) {
    const init = request.next.find(isCall(tonco.initPool.opcode))
    const from = envelopeOf(request)
    const order = init === undefined ? null : readBody(request, readOrder)
    if (init === undefined || order === null || from === undefined) return null
    const picked = new Picked(request)
    picked.blocks.add(init)
    for (const excess of init.next.filter(isCall(EXCESS)).slice(0, 1)) picked.blocks.add(excess)
    const content = TONCO_DEPLOY_POOL.content({
      source: from.source,
      router: from.destination,
      pool: init.first.transaction.account,
      ...order,
    })
    return { blocks: picked.blocks, content, failed: init.failed }
  },
}
