import { ApiError } from '../../../shared/errors.ts'
import type { tokensV2 } from '../../../shared/v2/tokens.ts'
import { detectToken } from '../../contracts/index.ts'
import type { Handlers } from '../call.ts'
import { awaitRun } from '../errors/tvmErrors.ts'
import { callerTools } from '../tvm/callerTools.ts'
import { contractsAt, type PoolTools } from '../tvm/contractTools.ts'
import { asGiven, toTokenData } from '../view/token.ts'

export const tokenHandlers = (tools: PoolTools): Handlers<typeof tokensV2> => ({
  async getTokenData({ address, seqno }, call) {
    const contracts = await contractsAt(callerTools(tools, call), seqno, call.signal)
    const facts = await awaitRun(detectToken(contracts, address))
    if (facts === null) throw new ApiError('conflict', `Smart contract ${asGiven(address)} is not Jetton or NFT`)
    return toTokenData(address, facts)
  },
})
