// What else the questions need to know of the chain.

import type { Facts } from '../lite/facts.ts'
import type { More } from './questions.ts'

const CONFIG_PARAMS = [0, 1, 8, 12, 15, 16, 17, 18, 20, 21, 24, 25, 28, 31, 34, 40, 43, 44, 45, 999]

export async function gatherMore(url: string, { wallet, block }: Facts): Promise<More> {
  const v2 = async (path: string) =>
    ((await (await fetch(`${url}/api/v2/${path}`)).json()) as { result: Record<string, never> }).result
  const v3 = async (path: string) => (await (await fetch(`${url}/api/v3/${path}`)).json()) as Record<string, never[]>
  interface Block {
    readonly seqno: number
    readonly key_block: boolean
    readonly root_hash: string
    readonly file_hash: string
  }
  const info = (await v2('getMasterchainInfo')) as unknown as { last: { seqno: number } }
  const { shards } = (await v2(`shards?seqno=${info.last.seqno}`)) as unknown as { shards: { seqno: number }[] }
  const { blocks: masters } = (await v3('blocks?workchain=-1&limit=500')) as unknown as { blocks: Block[] }
  const { blocks } = (await v3(`blocks?workchain=0&seqno=${block}`)) as unknown as { blocks: Block[] }
  const { bounceable } = (await v2(`detectAddress?address=${wallet}`)) as unknown as { bounceable: { b64url: string } }
  const { last_transaction_id: last } = (await v2(`getAddressInformation?address=${wallet}`)) as unknown as {
    last_transaction_id: { lt: string; hash: string }
  }
  const { nft_items: items } = (await v3('nft/items?limit=20')) as unknown as {
    nft_items: { address: string; index: string }[]
  }
  const { jetton_wallets: wallets } = (await v3('jetton/wallets?limit=1')) as unknown as {
    jetton_wallets: { address: string }[]
  }
  const [found] = blocks
  const [shard] = shards
  const key = masters.find(({ seqno, key_block: isKey }) => isKey && seqno > 1)
  const item = items.find(({ index }) => index.length < 10)
  const [jettonWallet] = wallets
  if (!found || !shard || !key || !item || !jettonWallet) throw new Error('this is not the demo chain')
  return {
    newest: info.last.seqno,
    newestShard: shard.seqno,
    key: key.seqno,
    rootHash: found.root_hash,
    fileHash: found.file_hash,
    jettonWallet: jettonWallet.address,
    item: item.address,
    friendly: bounceable.b64url,
    lt: last.lt,
    hash: last.hash,
    params: CONFIG_PARAMS,
  }
}
