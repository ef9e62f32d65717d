// An item that takes a request of another than its owner and does nothing, where a usual one would fail.

import { runTolkCompiler } from '@ton/tolk-js'
import type { Client } from '../../client/index.ts'
import { beginCell, stdAddress, storeAddress, writeBoc } from '../../server/cell/index.ts'
import { offChainContent } from '../../server/demo/contracts/index.ts'
import { untilIndexed } from './untilIndexed.ts'

const SOURCE = `
tolk 1.3

struct Item {
    owner: address
    /// May hand it on as well.
    agent: address
    content: cell
}

struct (0x5fcc3d14) Transfer {
    queryId: uint64
    newOwner: address
    rest: RemainingBitsAndRefs
}

fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) {
        return;
    }
    val item = Item.fromCell(contract.getData());
    if ((in.senderAddress != item.owner) & (in.senderAddress != item.agent)) {
        return;
    }
    val message = Transfer.fromSlice(in.body);
    contract.setData(Item { owner: message.newOwner, agent: item.agent, content: item.content }.toCell());
}

get fun get_nft_data(): (bool, int, any_address, address, cell) {
    val item = Item.fromCell(contract.getData());
    return (true, 7, createAddressNone(), item.owner, item.content);
}
`

const addressOf = (byte: number) => stdAddress(0, new Uint8Array(32).fill(byte))

const textOf = (cell: Parameters<typeof writeBoc>[0]): string => Buffer.from(writeBoc(cell)).toString('base64')

export interface PoliteItem {
  /** Accounts in the basechain, each by the byte that its address repeats. */
  readonly address: number
  readonly owner: number
  readonly agent: number
}

/** Puts it on the embedded chain. An index reads it with its first transaction, which comes at once where it `isRead`. */
export async function makePoliteItem(client: Client, item: PoliteItem, isRead = true): Promise<string> {
  const compiled = await runTolkCompiler({ entrypointFileName: 'item.tolk', fsReadCallback: () => SOURCE })
  if (compiled.status === 'error') throw new Error(compiled.message)
  const owners = storeAddress(storeAddress(beginCell(), addressOf(item.owner)), addressOf(item.agent))
  const data = owners.storeRef(offChainContent('data:application/json,{}')).end()
  const address = `0:${item.address.toString(16).toUpperCase().repeat(32)}`
  await client.dev.setAccount({ address, balance: '1000000000', code: compiled.codeBoc64, data: textOf(data) })
  if (!isRead) return address
  await client.dev.faucet({ address, amount: '1000000000' })
  await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
  return address
}
