import { ApiError } from '../../../shared/errors.ts'
import type { dnsV2 } from '../../../shared/v2/dns.ts'
import { orNull } from '../../cell/index.ts'
import type { Contracts } from '../../contracts/index.ts'
import { type AccountId, MASTERCHAIN } from '../../node/index.ts'
import { encodeDomain, loadConfigParam } from '../../tlb/index.ts'
import type { Handlers } from '../call.ts'
import { categoryOf } from '../dns/category.ts'
import { resolveDomain } from '../dns/resolve.ts'
import { awaitRun } from '../errors/tvmErrors.ts'
import { callerTools } from '../tvm/callerTools.ts'
import { contractsAt, type PoolTools } from '../tvm/contractTools.ts'
import { toResolved } from '../view/dns.ts'

const ROOT = 4

/** The resolver of the network, a contract of the masterchain. */
async function rootOf(contracts: Contracts): Promise<AccountId> {
  const cell = (await awaitRun(contracts.setting())).params.get(ROOT)
  const hash = cell === undefined ? null : orNull(() => loadConfigParam(ROOT, cell))
  if (hash === null) throw new ApiError('upstream', `there is no root resolver: config parameter ${ROOT} names none`)
  return { workchain: MASTERCHAIN, hash }
}

export const dnsHandlers = (tools: PoolTools): Handlers<typeof dnsV2> => ({
  async dnsResolve({ address, name, category, ttl, seqno }, call) {
    const encoded = encodeDomain(name)
    if (encoded === null) throw new ApiError('invalidParams', '"name" is not a domain name', { param: 'name' })
    const number = categoryOf(category)
    const contracts = await contractsAt(callerTools(tools, call), seqno, call.signal)
    const start = address ?? (await rootOf(contracts))
    return toResolved(await awaitRun(resolveDomain(contracts, { start, name: encoded, category: number, ttl })))
  },
})
