import type { ChainService } from '../../server/app/chain/chainService.ts'

/** An embedded chain as a service has it, without its demo and its control. */
export const bareChainService = ({ chain, pool }: Pick<ChainService, 'chain' | 'pool'>): ChainService => ({
  chain,
  pool,
  controlled: null,
  demo: null,
  lite: null,
  forWorkers: null,
  touch: () => undefined,
  readiness: () => ({ ready: true, words: 'a benchmark' }),
  close: () => Promise.resolve(),
})
