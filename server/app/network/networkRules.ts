// Whether a network has newer rules than the TVM of this release, which runs get-methods and emulations. Rules change with key
// blocks, also while the service runs.

import type { Chain, Trust } from '../../node/index.ts'
import type { Log } from '../../observe/index.ts'
import { configParam } from '../../tlb/index.ts'
import { NEWEST_GLOBAL_VERSION } from '../../tvm/index.ts'

const GLOBAL_VERSION = 8

interface RulesWatch {
  readonly chain: Pick<Chain, 'head' | 'config'>
  readonly trust: Pick<Trust, 'head' | 'onHead'>
  readonly log: Pick<Log, 'warn' | 'debug'>
}

/** Warns of newer rules once, at the start or after the key block that brought them. Returns what ends it. */
export function watchRules({ chain, trust, log }: RulesWatch): () => void {
  let warned = NEWEST_GLOBAL_VERSION
  let readAt: number | null = null
  let isReading = false
  async function read(): Promise<void> {
    // With `--proofs sampled` most heads come without their key block.
    const seqno = trust.head?.keyBlock?.seqno ?? readAt ?? 0
    if (isReading || seqno === readAt) return
    isReading = true
    try {
      const { config } = await chain.config((await chain.head()).id, [GLOBAL_VERSION])
      readAt = seqno
      const version = configParam(config, GLOBAL_VERSION)?.version ?? 0
      if (version <= warned) return
      warned = version
      log.warn(
        { version, known: NEWEST_GLOBAL_VERSION },
        'TVM is older than the network: get-methods and emulations may differ from it; use a newer release',
      )
    } catch (err) {
      log.debug({ err }, 'the rules of the network cannot be read')
    } finally {
      isReading = false
    }
  }
  void read()
  return trust.onHead(() => void read())
}
