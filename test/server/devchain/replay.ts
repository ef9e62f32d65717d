// The transactions of a chain executed once more, by an emulator as it was shipped: from the state before the block, the
// configuration and the libraries it refers to, and what the block itself says. Nothing is taken from block to block. What
// comes out must be the block and the state after it, bit for bit.

import { type Cell, openCell, readBoc, writeBoc } from '../../../server/cell/index.ts'
import { PreviousBlocksTuple } from '../../../server/devchain/collate/index.ts'
import {
  type AccountPatch,
  BASECHAIN,
  type ChainState,
  type Devchain,
  type JournalBlock,
  MASTERCHAIN,
  type MasterState,
} from '../../../server/devchain/index.ts'
import { ABSENT, isAbsent } from '../../../server/devchain/state/accountCell.ts'
import { patchAccount } from '../../../server/devchain/state/accountPatch.ts'
import {
  type AccountBlock,
  accountBlocksOf,
  blockExtraOf,
  fromCell,
  loadBlock,
  loadShardAccount,
  loadTransaction,
  type ShardAccount,
  storeShardAccount,
  toCell,
} from '../../../server/tlb/index.ts'
import {
  createConfig,
  createExecutor,
  type Emulator,
  preparePlain,
  type TransactionResult,
} from '../../../server/tvm/index.ts'
import { hex } from './devchains.ts'

const bocOf = (account: ShardAccount): Uint8Array => writeBoc(toCell(account, storeShardAccount))
const treeIn = (boc: string): Cell => readBoc(Buffer.from(boc, 'base64'), { maxDepth: 1024 })

type Workchain = typeof BASECHAIN | typeof MASTERCHAIN

interface Step {
  readonly facts: JournalBlock
  readonly root: Cell
  readonly before: ChainState
  readonly after: ChainState
  /** The masterchain state the block refers to. */
  readonly master: MasterState
}

export class Replay {
  readonly #next = { [BASECHAIN]: 1, [MASTERCHAIN]: 1 }
  readonly #patches: AccountPatch[] = []
  #executor: Emulator | null = null
  /** What differed. */
  readonly differences: string[] = []
  transactions = 0
  /** Statuses accounts had before and after transactions. */
  readonly statuses = new Set<string>()

  /** Accounts changed by hand show in the state before the transactions of a block. */
  patched(patch: AccountPatch): void {
    this.#patches.push(patch)
  }

  /** Executes what was made since the last time. */
  async upTo(chain: Devchain): Promise<void> {
    for (const workchain of [BASECHAIN, MASTERCHAIN] as const)
      for (;;) {
        const facts = chain.reader.bySeqno(workchain, this.#next[workchain])
        if (facts === undefined) break
        await this.#block(await this.#step(chain, workchain, facts))
        this.#next[workchain]++
      }
  }

  /** The chain was reverted: what comes after its newest block is new. */
  reverted(chain: Devchain): void {
    const { master, shard } = chain.reader.moment()
    this.#next[MASTERCHAIN] = master.id.seqno + 1
    this.#next[BASECHAIN] = shard.id.seqno + 1
  }

  async #step({ reader }: Devchain, workchain: Workchain, facts: JournalBlock): Promise<Step> {
    const { seqno } = facts.id
    const stateAt = (at: number) => (workchain === MASTERCHAIN ? reader.masterState(at) : reader.shardState(at))
    const step = workchain === MASTERCHAIN ? seqno : (reader.registeredBy(seqno)?.id.seqno ?? 0)
    const master = await reader.masterState(step - 1)
    const root = await (await reader.block(facts)).root()
    return { facts, root, before: await stateAt(seqno - 1), after: await stateAt(seqno), master }
  }

  async #block({ facts, root, before, after, master }: Step): Promise<void> {
    const extra = blockExtraOf(loadBlock(openCell(root)))
    const place = `block ${facts.id.workchain}:${facts.id.seqno}`
    const changes: [Uint8Array, ShardAccount | null][] = []
    const touched = new Set<string>()
    const executor = await this.#executorFor({ facts, master }, extra.randSeed)
    for (const [id, entry] of accountBlocksOf(extra)) {
      touched.add(hex(id))
      const start = this.#explained(before.accounts.get(id) ?? ABSENT, id, entry.stateUpdate.before)
      if (start === null) this.differences.push(`${place}: account ${hex(id)} was something else before`)
      else changes.push([id, this.#account(executor, place, start, entry)])
    }
    for (const { id, workchain } of this.#patches) {
      if (workchain !== facts.id.workchain || touched.has(hex(id))) continue
      const now = after.accounts.get(id)
      const start = this.#explained(before.accounts.get(id) ?? ABSENT, id, (now ?? ABSENT).account.hashBytes())
      if (start !== null) changes.push([id, isAbsent(start.account) ? null : start])
    }
    const accounts = before.accounts.update(changes)
    if (accounts.root?.hash() !== after.accounts.root?.hash())
      this.differences.push(`${place}: the accounts after it are others`)
  }

  /** The account with that hash: as it was, or changed by hand since. */
  #explained(account: ShardAccount, id: Uint8Array, wanted: Uint8Array): ShardAccount | null {
    if (hex(account.account.hashBytes()) === hex(wanted)) return account
    const patches = this.#patches.filter((patch) => hex(patch.id) === hex(id))
    for (let from = 0; from < patches.length; from++) {
      let changed = account
      for (const patch of patches.slice(from)) {
        changed = patchAccount(changed, patch)
        if (hex(changed.account.hashBytes()) === hex(wanted)) return changed
      }
    }
    return null
  }

  async #executorFor({ facts, master }: Pick<Step, 'facts' | 'master'>, randSeed: Uint8Array): Promise<Emulator> {
    const config = master.extra.config.params.root
    if (config === null) throw new Error('a state without a configuration')
    this.#executor ??= await createExecutor(await preparePlain())
    const libraries = master.details.libraries.root
    this.#executor.setConfig(createConfig(writeBoc(config)))
    this.#executor.beginBlock({
      now: facts.utime,
      randSeed,
      libs: libraries === null ? null : writeBoc(libraries),
      prevBlocks: writeBoc(new PreviousBlocksTuple().entry(master)),
    })
    return this.#executor
  }

  #account(
    executor: Emulator,
    place: string,
    start: ShardAccount,
    { transactions }: AccountBlock,
  ): ShardAccount | null {
    let shardAccount: Uint8Array | string = bocOf(start)
    for (const [lt, cell] of transactions) {
      const { inMessage, description, origStatus, endStatus } = loadTransaction(openCell(cell))
      this.statuses.add(`${origStatus} to ${endStatus}`)
      const which = description.kind === 'tickTock' && description.isTock ? 'tock' : 'tick'
      const result: TransactionResult =
        inMessage === null
          ? executor.tickTock({ shardAccount, lt, which })
          : executor.transaction({ shardAccount, lt, message: writeBoc(inMessage) })
      this.transactions++
      if (!result.accepted) {
        this.differences.push(`${place}: transaction ${lt} could not be made again`)
        return null
      }
      if (treeIn(result.transaction).hash() !== cell.hash())
        this.differences.push(`${place}: transaction ${lt} comes out as another one`)
      shardAccount = result.shardAccount
    }
    if (typeof shardAccount !== 'string') return start
    const end = fromCell(treeIn(shardAccount), loadShardAccount)
    return isAbsent(end.account) ? null : end
  }
}
