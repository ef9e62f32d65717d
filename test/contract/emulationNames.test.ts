// A name that a stranger's call gives to the winner of its auction: emulated, pending and in a block it is the winner's.

import { Address, beginCell, Cell, Dictionary, external, internal, SendMode, storeMessage } from '@ton/core'
import { expect, test } from 'vitest'
import { writeBoc } from '../../server/cell/index.ts'
import { dnsDomain, dnsOpenAuctionBody, dnsRoot, dnsZone, offChainContent } from '../../server/demo/contracts/index.ts'
import type { Deployment } from '../../server/devchain/index.ts'
import { ask, queryOf } from '../setup/calls.ts'
import { fundedWallet } from '../setup/fundedWallet.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { createScene, type Fields, TRACE } from './emulationScene.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const { client, emulated, indexed } = createScene(service)

const ROOM = 600_000
const CONFIG = `-1:${'55'.repeat(32)}`
const BIDDER = `0:${'AB'.repeat(32)}`
const GET_STATIC_DATA = 0x2fcb26a2

type OwnCell = Parameters<typeof writeBoc>[0]

const bocOf = (cell: OwnCell): string => Buffer.from(writeBoc(cell)).toString('base64')
const rawOf = ({ address }: Deployment): string =>
  new Address(address.workchain, Buffer.from(address.hash)).toRawString()

async function deliver(to: string, value: bigint, body?: OwnCell): Promise<void> {
  const sent = client().dev.sendInternal({
    from: BIDDER,
    to,
    value: String(value),
    ...(body === undefined ? {} : { body: bocOf(body) }),
  })
  await client().dev.mine({ blocks: 3 })
  await sent
}

/** Puts the code and data of a contract where they belong. */
const place = async (contract: Deployment): Promise<unknown> =>
  await client().dev.setAccount({
    address: rawOf(contract),
    balance: '1000000000',
    code: bocOf(contract.code),
    data: bocOf(contract.data),
  })

/** Names the root in the configuration. */
async function nameRoot(root: Deployment): Promise<void> {
  const { data } = await client().getAddressInformation({ address: CONFIG })
  const kept = Cell.fromBase64(data).beginParse()
  const cells = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), kept.loadRef())
  cells.set(4, beginCell().storeBuffer(Buffer.from(root.address.hash)).endCell())
  const params = beginCell().storeDictDirect(cells).endCell()
  const changed = beginCell().storeRef(params).storeSlice(kept).endCell()
  await client().dev.setAccount({ address: CONFIG, data: changed.toBoc().toString('base64') })
  await client().dev.mine({ blocks: 2 })
}

const winners = (actions: unknown): unknown[] =>
  // The cast: each has details, as the schema says.
  (actions as readonly Fields[])
    .filter(({ type }) => type === 'dns_purchase')
    .map(({ details }) => (details as Fields).new_owner)

test(
  'the winner has it, not who called it',
  async () => {
    const { wallet, secretKey } = await fundedWallet(client())
    const zone = dnsZone(offChainContent('https://dns.test/collection.json'))
    const root = dnsRoot({ workchain: 0, hash: Buffer.alloc(32, 1) }, { ton: zone.address })
    const domain = rawOf(dnsDomain(zone.address, 'alice'))
    await place(zone)
    await place(root)
    await nameRoot(root)
    await deliver(rawOf(zone), 60_000_000_000n, dnsOpenAuctionBody('alice'))
    await client().dev.increaseTime({ seconds: 3700 })
    await client().dev.mine({})
    await indexed()

    const body = wallet.createTransfer({
      seqno: 0,
      secretKey,
      timeout: 4_000_000_000,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [
        internal({
          to: Address.parse(domain),
          value: 1_000_000_000n,
          body: beginCell().storeUint(GET_STATIC_DATA, 32).storeUint(1, 64).endCell(),
        }),
      ],
    })
    const message = beginCell()
      .store(storeMessage(external({ to: wallet.address, body })))
      .endCell()
    const boc = message.toBoc().toString('base64')
    const foreseen = await emulated(TRACE, { boc, with_actions: true })
    expect(winners(foreseen.actions)).toEqual([BIDDER])
    await client().sendBoc({ boc })
    const pending = await ask(
      service(),
      `/api/v3/pendingActions${queryOf({ ext_msg_hash: message.hash().toString('base64') })}`,
    )
    expect(winners(pending.body.actions)).toEqual([BIDDER])
    await client().dev.mine({ blocks: 6 })
    await indexed()
    const real = await ask(service(), `/api/v3/actions${queryOf({ account: domain, action_type: 'dns_purchase' })}`)
    expect(winners(real.body.actions)).toEqual([BIDDER])
  },
  ROOM,
)
