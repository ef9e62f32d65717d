// Both zerostates. The basechain's comes first, because the configuration names it; the configuration is needed by the
// contract that holds it, the contract by the masterchain's state.

import { buildDict, type Cell, emptyDict } from '../../cell/index.ts'
import { currentValidators, validatorListHash } from '../../node/index.ts'
import {
  addCurrency,
  type ConfigParams,
  type CurrencyCollection,
  configKind,
  FULL_SHARD,
  type MasterStateDetails,
  oldBlocksKind,
  shardHashesKind,
  storeMasterStateDetails,
  storeMasterStateExtra,
  toCell,
  ZERO_CURRENCY,
} from '../../tlb/index.ts'
import { type AccountCellContent, type Accounts, BASECHAIN, type BlockIdExt, MASTERCHAIN } from '../state/index.ts'
import { genesisAccounts, makeZerostate, type Zerostate } from './zerostate.ts'

/** What a chain starts with. */
export interface GenesisPlan {
  readonly globalId: number
  readonly utime: number
  /** The first blocks begin behind this logical time. */
  readonly lt: bigint
  /** Of both chains, without the config contract. */
  readonly accounts: readonly AccountCellContent[]
  /** Parameters by number; the zerostate of the basechain is known by then. */
  readonly configParams: (basechain: BlockIdExt) => Iterable<readonly [number, Cell]>
  /** The contract that holds a configuration in the first reference of its data. */
  readonly configContract: (config: Cell) => AccountCellContent
}

export interface Genesis {
  readonly master: Zerostate
  readonly base: Zerostate
}

/**
 * A parameter only the zerostate has. The first block finds another configuration in the config contract, installs it, and
 * thereby becomes a key block, which is where light clients can start from.
 */
const ONLY_AT_START = -1000

const MASTER_SHARD = { workchain: MASTERCHAIN, shard: FULL_SHARD }

const balanceOf = (accounts: Accounts): CurrencyCollection => accounts.extra?.balance ?? ZERO_CURRENCY

/** Makes both zerostates. */
export function createGenesis(plan: GenesisPlan): Genesis {
  const { globalId, utime, lt } = plan
  const inChain = (workchain: number) => plan.accounts.filter((account) => account.workchain === workchain)
  const baseAccounts = genesisAccounts(inChain(BASECHAIN))
  const base = makeZerostate({ workchain: BASECHAIN, globalId, utime, lt, accounts: baseAccounts, custom: null })

  const installed = buildDict(configKind, plan.configParams(base.id))
  if (installed.root === null) throw new Error('A chain needs a configuration')
  const contract = plan.configContract(installed.root)
  const masterAccounts = genesisAccounts([...inChain(MASTERCHAIN), contract])
  const custom = toCell(
    {
      shardHashes: emptyDict(shardHashesKind),
      config: {
        address: contract.id,
        params: installed.set(
          ONLY_AT_START,
          toCell(1, (b, value) => b.storeUint(value, 8)),
        ),
      },
      details: toCell(startDetails({ address: contract.id, params: installed }), storeMasterStateDetails),
      globalBalance: addCurrency(balanceOf(masterAccounts), balanceOf(baseAccounts)),
    },
    storeMasterStateExtra,
  )
  return {
    master: makeZerostate({ workchain: MASTERCHAIN, globalId, utime, lt, accounts: masterAccounts, custom }),
    base,
  }
}

// The zerostate counts as the state of a key block.
const startDetails = (config: ConfigParams): MasterStateDetails => ({
  validatorInfo: {
    listHashShort: validatorListHash(currentValidators(config, MASTER_SHARD, 0), 0),
    catchainSeqno: 0,
    nextCatchainUpdated: true,
  },
  previousBlocks: emptyDict(oldBlocksKind),
  afterKeyBlock: true,
  lastKeyBlock: null,
  createStats: null,
})
