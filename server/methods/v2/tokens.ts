import { ApiError } from '../../../shared/errors.ts'
import type { tokens } from '../../../shared/v2/tokens.ts'
import type { Handlers } from '../call.ts'
import { detectToken } from '../tokens/detect.ts'
import { Contracts, type ContractTools } from '../tvm/contracts.ts'
import { asGiven, toTokenData } from '../view/token.ts'

export const tokenHandlers = (tools: ContractTools): Handlers<typeof tokens> => ({
  async getTokenData({ address, seqno }, { signal }) {
    const facts = await detectToken(await Contracts.at(tools, seqno, signal), address)
    if (facts === null) throw new ApiError('conflict', `Smart contract ${asGiven(address)} is not Jetton or NFT`)
    return toTokenData(address, facts)
  },
})
