// Which collections hold domains: the one that the network's root resolver names for `ton`, and on mainnet the one of user
// names. On a private chain `.ton` is whatever its configuration leads to.

import { hashFromBytes, openCell, orNull, type StdAddress, stdAddress } from '../../cell/index.ts'
import { type Contracts, cellAt, intAt, resolveArguments } from '../../contracts/index.ts'
import { MASTERCHAIN } from '../../node/index.ts'
import { dnsCategoryHash, encodeDomain, loadDnsRecord, readableParam } from '../../tlb/index.ts'

const ROOT = 4
const MAINNET = 'mainnet'
const USER_NAMES = stdAddress(0, Buffer.from('80d78a35f955a14b679faa887ff4cd5bfc0f43b4a4eea2a7e6927f3701b273c2', 'hex'))

const TON = encodeDomain('ton') ?? Buffer.alloc(0)
const NEXT_RESOLVER = BigInt(`0x${Buffer.from(dnsCategoryHash('dns_next_resolver'), 'latin1').toString('hex')}`)

/** The contract that resolves `ton`; null where there is no root, or it names none. */
async function tonCollection(contracts: Contracts): Promise<StdAddress | null> {
  const root = readableParam(await contracts.setting(), ROOT)
  if (root === null) return null
  const args = resolveArguments(TON, NEXT_RESOLVER)
  const stack = await contracts.results({ workchain: MASTERCHAIN, hash: root }, 'dnsresolve', args)
  if (stack === null || intAt(stack, 0) === 0n) return null
  const found = cellAt(stack, 1)
  const record = found === undefined ? null : orNull(() => loadDnsRecord(openCell(found)))
  return record?.kind === 'nextResolver' ? record.address : null
}

const isSame = (a: StdAddress, b: StdAddress): boolean =>
  a.workchain === b.workchain && hashFromBytes(a.hash) === hashFromBytes(b.hash)

/** Whether items of a collection are domains. */
export async function isOfDomains(contracts: Contracts, collection: StdAddress, network: string): Promise<boolean> {
  if (network === MAINNET && isSame(collection, USER_NAMES)) return true
  const ton = await tonCollection(contracts)
  return ton !== null && isSame(ton, collection)
}
